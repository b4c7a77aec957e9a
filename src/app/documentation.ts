/** The interface as a document, and the page that shows it and tries it out. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type Express } from 'express';
import { basePath } from './interface/address.ts';

const require = createRequire(import.meta.url);

/**
 * Credentials stay in the browser's storage until somebody logs out on the page. The page asks the service that it comes
 * from, and nobody else.
 */
const settings = {
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  displayOperationId: true,
};

/** What is put into a request before it is sent is made by `fill-in.js` from `examples.json`. */
const initializer = `
const signedIn = () => {
  const { username, password } = window.ui.authSelectors.authorized().toJS().basic?.value ?? {};
  return username === undefined ? undefined : 'Basic ' + btoa(username + ':' + password);
};
const parts = Promise.all([import('/docs/fill-in.js'), fetch('/docs/examples.json').then((answer) => answer.json())]);
const base = new URL(${JSON.stringify(basePath)}, location.href).href;
const filling = parts.then(([{ fillIn }, examples]) => fillIn({ ...examples, base, platform: signedIn }));
const requestInterceptor = async (request) => (request.loadSpec ? request : (await filling)(request));
// The page draws the word beside its list of servers, and does not say that it is for it.
const onComplete = () => document.getElementById('servers')?.setAttribute('aria-label', 'Server');
window.ui = SwaggerUIBundle({ ...${JSON.stringify(settings)}, requestInterceptor, onComplete });
`;

const fillIn = new URL('interface/fill-in.js', import.meta.url);
const colours = new URL('interface/docs.css', import.meta.url);

/** The document is made when somebody asks for it: few do, and what makes it is large. */
export function serveDocumentation(app: Express): void {
  let document: Promise<string> | undefined;
  const describe = async () => JSON.stringify((await import('./interface/openapi.ts')).openApi());
  const pages = dirname(require.resolve('swagger-ui-dist/package.json'));
  app.get('/openapi.json', async (_req, res) => {
    document ??= describe();
    res.type('application/json').send(await document);
  });
  app.get('/docs/swagger-initializer.js', (_req, res) => void res.type('text/javascript').send(initializer));
  app.get('/docs/index.css', (_req, res) => {
    res.type('text/css').send(readFileSync(join(pages, 'index.css'), 'utf8') + readFileSync(colours, 'utf8'));
  });
  app.get('/docs/fill-in.js', (_req, res) => void res.type('text/javascript').send(readFileSync(fillIn)));
  app.get('/docs/examples.json', async (_req, res) => {
    const { exampleSources: sources, agentToken } = await import('./interface/example-sources.ts');
    res.json({ sources, agentToken });
  });
  app.use('/docs', express.static(pages, { index: 'index.html' }));
}
