import type { Credentials } from '../../../src/app/bootstrap.ts';
import { parseExactly, stringify } from '../../../src/kernel/json.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the response check has verified
export type Json = any;
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };
type Headers_ = Readonly<Record<string, string>>;

/** Sends requests as a platform's back end would. Integers beyond 2^53 arrive as bigint. */
export type Client = {
  readonly get: (
    path: string,
    query?: Readonly<Record<string, string | readonly string[]>>,
  ) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, headers?: Headers_) => Promise<Answer>;
  readonly patch: (path: string, body: unknown, headers?: Headers_) => Promise<Answer>;
  readonly delete: (path: string, headers?: Headers_) => Promise<Answer>;
  /** Sends multipart/form-data. */
  readonly form: (method: string, path: string, form: FormData) => Promise<Answer>;
  /** Sends what it is given, without Content-Type or credentials of its own. */
  readonly raw: (path: string, init: RequestInit) => Promise<Answer>;
};

export const basic = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

type Raw = Client['raw'];

const rawTo =
  (baseUrl: string): Raw =>
  async (path, init) => {
    const response = await fetch(`${baseUrl}${path}`, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? parseExactly(Buffer.from(bytes).toString()) : undefined,
    };
  };

export const clientOf = (baseUrl: string, credentials: Credentials): Client =>
  clientWith(rawTo(baseUrl), basic(credentials));

/** Sends requests as an agent would, to where the other client sends its own. */
export const agentClientOf = ({ raw }: Pick<Client, 'raw'>, accessToken: string): Client =>
  clientWith(raw, `Bearer ${accessToken}`);

/** The client that is there when a request is sent. */
export const clientThat = (exists: () => Client): Client => ({
  get: (...sent) => exists().get(...sent),
  post: (...sent) => exists().post(...sent),
  patch: (...sent) => exists().patch(...sent),
  delete: (...sent) => exists().delete(...sent),
  form: (...sent) => exists().form(...sent),
  raw: (...sent) => exists().raw(...sent),
});

function clientWith(raw: Raw, authorization: string): Client {
  return {
    raw,
    get: (path, query = {}) => {
      const pairs = Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      const search = new URLSearchParams(pairs).toString();
      return raw(search ? `${path}?${search}` : path, { headers: { authorization } });
    },
    post: (path, body, headers = {}) =>
      raw(path, {
        method: 'POST',
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: stringify(body) }),
      }),
    patch: (path, body, headers = {}) =>
      raw(path, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: stringify(body),
      }),
    form: (method, path, body) => raw(path, { method, headers: { authorization }, body }),
    delete: (path, headers = {}) => raw(path, { method: 'DELETE', headers: { authorization, ...headers } }),
  };
}
