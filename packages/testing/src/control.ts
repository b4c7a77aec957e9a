/** How the processes of a test run ask the one that has the service for platforms. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Access, platformWith, type TestPlatform } from './platform.ts';
import type { TestDaybook } from './test-daybook.ts';

/** The address, and what only processes of this run know. */
export type Control = { readonly url: string; readonly secret: string };

type ServedControl = Control & { close(): Promise<void> };

export async function serveControl({
  newPlatform,
}: Pick<TestDaybook, 'newPlatform'>): Promise<ServedControl> {
  const secret = randomBytes(32).toString('hex');
  const server = createServer(async (request, response) => {
    if (!isSame(request.headers.authorization ?? '', secret)) return void response.writeHead(401).end();
    try {
      const { baseUrl, clientId, clientSecret } = await newPlatform();
      response.end(JSON.stringify({ baseUrl, clientId, clientSecret }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A platform of the service that another process of this run has. */
export async function askForPlatform({ url, secret }: Control): Promise<TestPlatform> {
  const response = await fetch(url, { method: 'POST', headers: { authorization: secret } });
  const text = await response.text();
  if (!response.ok) throw new Error(`the run gave no platform: ${response.status} ${text}`);
  return platformWith(JSON.parse(text) as Access);
}
