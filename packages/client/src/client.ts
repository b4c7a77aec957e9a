/** A client of the interface: one method for each operation of the OpenAPI document. */
import createFetchClient from 'openapi-fetch';
import { refusalOf } from './errors.ts';
import { routes } from './generated/routes.ts';
import { parseJson } from './json.ts';
import type { Daybook, OperationName } from './operations.ts';
import { type Page, pagesOf } from './pages.ts';
import { fetchWithRetries, type RetryOptions } from './retries.ts';
import { followed } from './streams.ts';

export { DaybookError, NoAnswer } from './errors.ts';
export type { Daybook, Input, OperationName, Output, Schemas } from './operations.ts';
export type { Page, Pages } from './pages.ts';
export type { Pause } from './retries.ts';
export type { FollowedEvent } from './streams.ts';

export type ClientOptions = RetryOptions & {
  /** With the version of the interface, as the service prints it: `http://127.0.0.1:8080/2025-10-13`. */
  readonly baseUrl: string;
  /**
   * Instead of what reads the JSON of answers and events. That throws `RangeError` for an integer that JavaScript's numbers
   * do not hold; one that makes a `bigint` of it gives amounts that are not what their type says.
   */
  readonly parse?: (text: string) => unknown;
} & (
    | { /** Of an API token. */ readonly clientId: string; readonly clientSecret: string }
    | { /** Of an agent. */ readonly accessToken: string }
    | {
        /** Of each request, where something else says who asks: for pages that the service serves, their cookie. */
        readonly headers: Readonly<Record<string, string>>;
      }
  );

type Route = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly isList?: boolean;
  readonly isStream?: boolean;
};
type Given = {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly onOpen?: () => void;
};
type Send = (route: Route, given: Given) => Promise<unknown>;
type Parse = (text: string) => unknown;

const usualTimeoutMs = 30_000;
/** An advance of the clock may take a minute, and a webhook is waited for half a minute. */
const sandboxTimeoutMs = 90_000;
/** A timer of JavaScript that is to take longer fires at once. */
const timeoutMaxMs = 2 ** 31 - 1;

/**
 * A request that reads, and one with an idempotency key, is repeated when it is not answered, or with 429 or 5xx; any
 * other one only with 429. `Retry-After` is honoured up to a minute. Throws for an option that is missing, as one that
 * comes from an environment may be whatever its type.
 */
export function createClient(options: ClientOptions): Daybook {
  requireOptions(options);
  const parse = options.parse ?? parseJson;
  const send = senderTo(options, parse);
  const methods = Object.entries<Omit<Route, 'name'>>(routes).map(
    ([name, route]) => [name, methodOf({ name, ...route }, send, parse)] as const,
  );
  return Object.fromEntries(methods) as Record<OperationName, unknown> as Daybook;
}

function requireOptions(options: ClientOptions): void {
  const { baseUrl, ...access } = options;
  if (!isText(baseUrl) || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('createClient: baseUrl is an address like http://127.0.0.1:8080/2025-10-13');
  const { timeoutMs = timeoutMaxMs } = access;
  if (!(timeoutMs > 0 && timeoutMs <= timeoutMaxMs))
    throw new TypeError(
      `createClient: timeoutMs is ${timeoutMs}, and must be more than 0 and up to ${timeoutMaxMs}`,
    );
  if ('headers' in access) return;
  const needed =
    'accessToken' in access ? (['accessToken'] as const) : (['clientId', 'clientSecret'] as const);
  const given = new Map<string, unknown>(Object.entries(access));
  for (const name of needed)
    if (!isText(given.get(name))) throw new TypeError(`createClient: ${name} is missing`);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const methodOf =
  (route: Route, send: Send, parse: Parse) =>
  (given: Given = {}) => {
    if (route.isStream)
      return followed(() => send(route, given) as Promise<ReadableStream<Uint8Array>>, parse, given);
    if (!route.isList) return send(route, given);
    return pagesOf(
      (cursor) => send(route, cursor ? withCursor(given, cursor) : given) as Promise<Page<unknown>>,
    );
  };

const withCursor = (given: Given, cursor: string): Given => ({
  ...given,
  query: { ...given.query, cursor },
});

function senderTo(options: ClientOptions, parse: Parse): Send {
  const fetch = fetchWithRetries(options);
  const http = createFetchClient<Record<string, never>>({
    baseUrl: options.baseUrl,
    headers: 'headers' in options ? options.headers : { authorization: authorizationOf(options) },
  });
  return async (route, given) => {
    const { method, path, key, isStream = false } = route;
    requireKnown(route, given);
    requirePath(route, given.path);
    const headers = key ? withKey(route.name, key, given) : given.headers;
    const isRepeatable = method === 'GET' || key !== undefined;
    const timeoutMs = path.startsWith('/sandbox/') ? sandboxTimeoutMs : usualTimeoutMs;
    const init = {
      params: { path: given.path, query: given.query, header: headers },
      body: given.body,
      bodySerializer: (body: unknown) => (body instanceof FormData ? body : JSON.stringify(body)),
      signal: given.signal,
      // Elsewhere a POST would be asked again as a GET, and without credentials.
      redirect: 'manual',
      parseAs: isStream ? 'stream' : 'text',
      fetch: async (request: Request) => {
        const response = await fetch(request, { isRepeatable, timeoutMs, isStream });
        // Read here, as amounts of a refusal would be rounded behind this.
        if (!response.ok) throw refusalOf(response, refusalIn(await response.text(), parse));
        return response;
      },
    };
    const { data, response } = await http.request(method as 'get', path as never, init as never);
    return isStream ? data : answerOf(response, parse, data);
  };
}

const everywhere = ['path', 'query', 'headers', 'body', 'signal'];

/** What is misspelt would be left out: a key that is not sent, or a filter that does not hold. */
function requireKnown({ name, key, isStream }: Route, given: Given): void {
  const known = [...everywhere, ...(key ? ['idempotencyKey'] : []), ...(isStream ? ['onOpen'] : [])];
  for (const [one, value] of Object.entries(given))
    if (value !== undefined && !known.includes(one))
      throw new TypeError(`${name}: ${one} is not known here; there are ${known.join(', ')}`);
}

/** The key is given by either name, its header spelled in any case, or it is drawn: never in place of one that is given. */
function withKey(name: string, key: string, { headers = {}, idempotencyKey }: Given): object {
  const entries: (readonly [string, unknown])[] =
    headers instanceof Headers ? [...headers] : Object.entries(headers);
  const isKey = (header: string) => header.toLowerCase() === key.toLowerCase();
  const named = entries.flatMap(([header, value]) => (isKey(header) ? [value] : []));
  const keys = new Set([idempotencyKey, ...named].filter((one) => one !== undefined && one !== null));
  if (keys.size > 1) throw new TypeError(`${name}: idempotencyKey and headers.${key} are different`);
  const [given = newKey()] = keys;
  return { ...Object.fromEntries(entries.filter(([header]) => !isKey(header))), [key]: given };
}

/** Pages that did not come by https have no `crypto.randomUUID`. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** `fetch` takes steps out of a path, and a name that is empty leads to a list, or to another operation. */
const stepsOrNothing: ReadonlySet<unknown> = new Set([undefined, null, '', '.', '..']);

function requirePath({ name, path }: Route, given: object = {}): void {
  const values = new Map<string, unknown>(Object.entries(given ?? {}));
  for (const [, part = ''] of path.matchAll(/\{(\w+)\}/g))
    if (stepsOrNothing.has(values.get(part)))
      throw new TypeError(`${name}: path.${part} is ${JSON.stringify(values.get(part))}`);
}

/** What is no JSON stays text. An amount that cannot be read is no reason to hide why the service refused. */
function refusalIn(text: string, parse: Parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    if (!(error instanceof RangeError)) throw error;
    return { ...JSON.parse(text), details: undefined };
  }
}

/** What is no JSON, or nothing where there should be something, is not of the service. */
function answerOf(response: Response, parse: Parse, text = ''): unknown {
  if (response.status === withoutBody) return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refusalOf(response, text);
    throw error;
  }
}
const withoutBody = 204;

function authorizationOf(options: Exclude<ClientOptions, { readonly headers: unknown }>): string {
  if ('accessToken' in options) return `Bearer ${options.accessToken}`;
  const bytes = new TextEncoder().encode(`${options.clientId}:${options.clientSecret}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
