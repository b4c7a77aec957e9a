/** The interface as a document, and the page that shows it and tries it out. */
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

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
const initializer = `window.ui = SwaggerUIBundle(${JSON.stringify(settings)});`;

/** The document is made when somebody asks for it: few do, and what makes it is large. */
export function serveDocumentation(app: Express): void {
  let document: Promise<string> | undefined;
  const describe = async () => JSON.stringify((await import('./interface/openapi.ts')).openApi());
  const pages = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));
  app.get('/openapi.json', async (_req, res) => {
    document ??= describe();
    res.type('application/json').send(await document);
  });
  app.get('/docs/swagger-initializer.js', (_req, res) => void res.type('text/javascript').send(initializer));
  app.use('/docs', express.static(pages, { index: 'index.html' }));
}
