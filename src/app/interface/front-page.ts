/** What a browser is shown at `/`: where everything is. No script, and nothing from elsewhere. */
import { basePath } from './address.ts';

type Shown = { readonly environment: string; readonly metricsApart: boolean };

export function frontPage({ environment, metricsApart }: Shown): string {
  const places = [
    ['/console', 'payments, accounts, requests and webhooks, to see; sign in with an API token'],
    ['/docs', 'the operations, to read and to try out'],
    ['/openapi.json', 'the same as an OpenAPI document'],
    [basePath, 'where the operations lie; they need an API token'],
    ['/readyz', 'whether it is ready, and what is missing'],
    ['/healthz', 'whether the process runs'],
    ...(metricsApart ? [] : [['/metrics', 'measurements for Prometheus']]),
  ];
  const rows = places.map(([path = '', what]) => {
    const place = path === basePath ? `<code>${path}</code>` : `<a href="${path}">${path}</a>`;
    return `<dt>${place}</dt><dd>${what}</dd>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Daybook</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
dt { margin-top: 1rem; }
</style>
</head>
<body>
<main>
<h1>Daybook</h1>
<p>A payments ledger behind a REST interface. This one is for: ${environment}.</p>
<dl>
${rows.join('\n')}
</dl>
<p>The first API token stands in the output of the first start, and in the file <code>credentials</code> of the data directory.</p>
</main>
</body>
</html>
`;
}
