import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { eventually } from '../resources/flows.ts';
import { basic } from './client.ts';

type Credentials = { readonly clientId: string; readonly clientSecret: string };
type OpenRequest = { finish(): Promise<number | undefined> };

/** A POST that the service has begun to read and whose body comes when the test says so. */
export const openRequest = (url: string, credentials: Credentials, body: object): Promise<OpenRequest> =>
  openText(url, credentials, { type: 'application/json', text: JSON.stringify(body) });

/** The same for what is no JSON. */
export async function openText(
  url: string,
  credentials: Credentials,
  { type, text }: { readonly type: string; readonly text: string },
): Promise<OpenRequest> {
  const headers = {
    authorization: basic(credentials),
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    expect: '100-continue',
  };
  const open = request(url, { method: 'POST', headers });
  open.flushHeaders();
  const answered = once(open, 'response');
  answered.catch(() => undefined);
  await once(open, 'continue');
  open.on('error', () => undefined);
  return {
    async finish() {
      open.end(text);
      const [response] = await answered;
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    },
  };
}

/** Resolves when the service takes no more connections. */
export async function untilClosed(url: string): Promise<void> {
  const { port, hostname } = new URL(url);
  const refused = async () => {
    const socket = connect(Number(port), hostname);
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true);
    socket.destroy();
    return outcome;
  };
  await eventually(refused, (isRefused) => isRefused);
}
