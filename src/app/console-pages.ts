/** The pages of the console, as they were built into `console/dist`. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Express, Request, RequestHandler, Response } from 'express';

const built = new URL('../../console/dist/', import.meta.url);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const assetPath = /^\/console\/assets\/([\w-][\w.-]*)$/;
const notBuilt = 'The pages of the console are not built: console/dist is missing.\n';

/**
 * Takes GET and HEAD below `/console`: built files, and the page for whoever navigates there. What asks for data goes to
 * `operations`, with the path below the root; what that does not know is the page again.
 */
export function serveConsole(app: Express, operations: RequestHandler, directory: URL = built): void {
  app.use(async (req, res, next) => {
    if (req.path !== '/console' && !req.path.startsWith('/console/')) return next();
    const [, asset] = assetPath.exec(req.path) ?? [];
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (asset !== undefined && isRead) return sendAsset(req, res, new URL(`assets/${asset}`, directory));
    const page = () => sendPage(req, res, directory);
    if (isRead && req.accepts(['json', 'html']) === 'html') return page();
    operations(req, res, (error) => (error || !isRead ? next(error) : void page().catch(next)));
  });
}

async function sendPage(req: Request, res: Response, directory: URL): Promise<void> {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Cache-Control', 'no-cache');
  if (!(await sendFile(req, res, new URL('index.html', directory))))
    res.status(404).type('text').send(notBuilt);
}

/** The name of a file has the hash of what is in it: it is the same for ever. */
async function sendAsset(req: Request, res: Response, file: URL): Promise<void> {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  if (await sendFile(req, res, file)) return;
  res.setHeader('Cache-Control', 'no-store');
  res.status(404).type('text').send('There is no such file of the console.\n');
}

/** As it was compressed when it was built, where the browser takes that. Answers whether there is such a file. */
async function sendFile(req: Request, res: Response, file: URL): Promise<boolean> {
  const taken = encodings.filter(([encoding]) => req.acceptsEncodings(encoding));
  for (const [encoding, suffix] of [...taken, [undefined, ''] as const]) {
    const bytes = await readFile(new URL(file.href + suffix)).catch(() => undefined);
    if (!bytes) continue;
    if (encoding) res.setHeader('Content-Encoding', encoding);
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Content-Type', types[extname(file.pathname)] ?? 'application/octet-stream');
    res.end(req.method === 'HEAD' ? undefined : bytes);
    return true;
  }
  return false;
}
