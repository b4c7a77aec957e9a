/** Writes src/generated from docs/openapi.json: types by openapi-typescript, and a table of the operations. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { hashOf, reducedDocument, routesOf } from './document.ts';

const folder = join(import.meta.dirname, '../src/generated');
const document = reducedDocument();
const head = `/** Made from docs/openapi.json by packages/client/generator; do not edit. SHA-256 of what it was made from: ${hashOf(document)} */\n`;
const write = (name, text) => writeFileSync(join(folder, name), head + text);

const rowOf = ({ operationId, method, path, key, isList, isStream }) =>
  `  ${operationId}: { method: '${method}', path: '${path}'${key ? `, key: '${key}'` : ''}${isList ? ', isList: true' : ''}${isStream ? ', isStream: true' : ''} },\n`;

// What has a default may be left out of a request.
write('types.ts', astToString(await openapiTypescript(document, { defaultNonNullable: false })));
write('routes.ts', `export const routes = {\n${routesOf(document).map(rowOf).join('')}} as const;\n`);
