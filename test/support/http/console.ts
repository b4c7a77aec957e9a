/** The console as a browser uses it: a cookie, and the header that goes with it. */
import type { Credentials } from '../../../src/app/bootstrap.ts';
import type { TestService } from '../processes/service.ts';
import type { Answer } from './client.ts';

type Sent = Readonly<Record<string, string>>;

export type SignedIn = {
  readonly answer: Answer;
  /** As the browser sends it back. */
  readonly cookie: string;
  readonly raw: (path: string, init?: RequestInit) => Promise<Answer>;
  readonly get: (path: string, headers?: Sent) => Promise<Answer>;
  readonly post: (path: string, body: object) => Promise<Answer>;
};

/** Whether it succeeds or not. */
export async function signIn(
  { client }: Pick<TestService, 'client'>,
  { clientId, clientSecret }: Credentials,
  headers: Sent = {},
): Promise<SignedIn> {
  const json = { 'content-type': 'application/json' };
  const console = { 'x-daybook-console': '1' };
  const answer = await client.raw('/console/session', {
    method: 'POST',
    headers: { ...json, ...console, ...headers },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const raw = (path: string, init: RequestInit = {}) =>
    client.raw(path, { ...init, headers: { cookie, ...console, ...(init.headers as Sent) } });
  return {
    answer,
    cookie,
    raw,
    get: (path, sent = {}) => raw(path, { headers: sent }),
    post: (path, body) => raw(path, { method: 'POST', headers: json, body: JSON.stringify(body) }),
  };
}
