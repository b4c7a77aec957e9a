import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a pooler does with settings that it does not keep: it says so, or it forgets them. */
type Manner = 'refuses' | 'forgets';

/** Stands before a Postgres as poolers do, which share its connections between clients. Returns the URL to it. */
export async function poolerBefore(target: string, manner: Manner): Promise<string> {
  const server = createServer((near) => {
    near.on('error', () => undefined);
    near.once('data', (startup) => {
      if (manner === 'refuses') {
        near.end(refusal);
        return;
      }
      const far = createConnection(Number(new URL(target).port), '127.0.0.1');
      far.on('error', () => undefined);
      far.write(withoutOptions(startup));
      near.pipe(far).pipe(near);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(target), { host: `127.0.0.1:${port}`, search: '' }).href;
}

/** In the words of PgBouncer. */
const refusal = message('E', 'SFATAL', 'C08P01', 'Munsupported startup parameter: options', '');

function message(type: string, ...fields: readonly string[]): Buffer {
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  return Buffer.concat([Buffer.from(type), lengthOf(body), body]);
}

function withoutOptions(startup: Buffer): Buffer {
  const fields = startup.subarray(8).toString().split('\0');
  const at = fields.indexOf('options');
  const kept = Buffer.from(fields.toSpliced(at, 2).join('\0'));
  const version = startup.subarray(4, 8);
  return Buffer.concat([lengthOf(Buffer.concat([version, kept])), version, kept]);
}

/** It counts itself. */
function lengthOf(body: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + length.length);
  return length;
}
