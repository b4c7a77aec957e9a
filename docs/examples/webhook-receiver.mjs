/**
 * An endpoint for webhooks, in one file and without dependencies: prints each that is genuine, new and not old.
 *
 *   node docs/examples/webhook-receiver.mjs scratch/public-key.pem 8099
 *
 * The key is `webhookPublicKey` of GET /config. Beside its file the body and the signature of the last one are kept, to be
 * looked at by hand. A real one keeps the ids in a database, and does in the background what takes longer than an answer.
 */
import { verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const [keyFile, port = '8099'] = process.argv.slice(2);
if (keyFile === undefined) {
  process.stderr.write('Usage: node webhook-receiver.mjs PUBLIC_KEY_FILE [PORT]\n');
  process.exit(2);
}
const publicKey = readFileSync(keyFile, 'utf8');
const toleranceMs = 300_000;
/** Ids of those that were taken. */
const taken = new Set();

const isGenuine = (body, signature) => verify('sha256', body, publicKey, Buffer.from(signature, 'base64'));

/** The status to answer, and what is to be said of it. */
function look(body, signature) {
  if (!isGenuine(body, signature)) return [400, 'refused: not signed by Daybook'];
  const { id, type, timestamp, data } = JSON.parse(body);
  if (Math.abs(Date.now() - Date.parse(timestamp)) > toleranceMs)
    return [400, `refused: sent at ${timestamp}`];
  if (taken.has(id)) return [409, `known: ${id}`];
  taken.add(id);
  return [200, `${type} ${data.id ?? ''}`];
}

createServer(async (request, response) => {
  const body = await buffer(request).catch(() => undefined);
  // Whoever has hung up before the end is not answered.
  if (body === undefined) return response.destroy();
  const { 'x-service-signature': signature = '' } = request.headers;
  const [status, told] = look(body, signature);
  response.writeHead(status).end();
  if (signature === '') return;
  process.stdout.write(`${told.trim()}\n`);
  writeFileSync(join(dirname(keyFile), 'body.json'), body);
  writeFileSync(join(dirname(keyFile), 'signature.txt'), signature);
}).listen(Number(port), '127.0.0.1');
