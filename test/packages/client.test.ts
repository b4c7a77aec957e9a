/** How @daybook/client repeats, pages and reads, against servers that answer what the tests say. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Daybook, DaybookError, NoAnswer, type Pause } from '@daybook/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { collectGarbage } from '../support/processes/garbage.ts';

type Seen = {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly requestId: unknown;
  readonly body: string;
};
type Answer = (seen: Seen, response: ServerResponse, nth: number) => void;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** A client of a server that answers so, and what the server has seen. */
async function clientOf(
  answer: Answer,
  options: {
    retries?: number;
    timeoutMs?: number;
    parse?: (text: string) => unknown;
    onPause?: (pause: Pause) => void;
  } = {},
) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'] ?? headers['redemption-key'];
    const requestId = headers['request-id'];
    const one = { method, url, key: String(key), requestId, body: await textOf(request) };
    seen.push(one);
    answer(one, response, seen.length);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/2025-10-13`;
  const client = createClient({ baseUrl, clientId: 'id', clientSecret: 'secret', ...options });
  return { client, seen };
}

const json = (response: ServerResponse, status: number, body: unknown, headers: object = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers } as Record<string, string>)
    .end(JSON.stringify(body));
const refuse = (response: ServerResponse, status: number, code: string, headers = {}) =>
  json(response, status, { status, code, message: 'no' }, { 'x-request-id': 'r1', ...headers });

const payment = {
  body: { source: { accountId: 'a' }, destination: { accountId: 'b' }, amount: 1_000 },
};
const transferOut = (client: Daybook) => client.transferOut(payment);
const getCustomer = (client: Daybook) => client.getCustomer({ path: { customerId: 'Customer:1' } });

describe('a client', () => {
  const access = { clientId: 'id', clientSecret: 'secret' };
  const baseUrl = 'http://127.0.0.1:1/2025-10-13';
  it.each([
    ['baseUrl', access],
    ['baseUrl', { ...access, baseUrl: '127.0.0.1' }],
    ['baseUrl', { ...access, baseUrl: 'localhost:8080/2025-10-13' }],
    ['clientId', { baseUrl, clientSecret: 'secret' }],
    ['clientSecret', { baseUrl, clientId: 'id' }],
    ['clientSecret', { baseUrl, clientId: 'id', clientSecret: '' }],
    ['clientId', { baseUrl }],
    ['accessToken', { baseUrl, accessToken: undefined }],
  ])('is not made without %s, and says so: %j', (name, options) => {
    // As JavaScript calls it.
    expect(() => createClient(options as never)).toThrow(`createClient: ${name} is`);
  });

  it.each([Infinity, 2 ** 31, 0, -1, Number.NaN])(
    'is not made to wait for %d ms, which no timer does',
    (timeoutMs) => {
      const said = `createClient: timeoutMs is ${timeoutMs}, and must be`;
      expect(() => createClient({ baseUrl, headers: {}, timeoutMs })).toThrow(said);
      expect(() => createClient({ baseUrl, ...access, timeoutMs })).toThrow(TypeError);
    },
  );

  it('waits for as long as a timer can', async () => {
    const { client } = await clientOf((_, response) => json(response, 200, {}), { timeoutMs: 2 ** 31 - 1 });
    expect(await getCustomer(client)).toEqual({});
  });

  it('needs no token where headers say who asks', () => {
    expect(() => createClient({ baseUrl, headers: {} })).not.toThrow();
  });
});

describe('a payment', () => {
  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['is 503', (response: ServerResponse) => refuse(response, 503, 'SERVICE_UNAVAILABLE')],
    ['is 429', (response: ServerResponse) => refuse(response, 429, 'RATE_LIMITED')],
  ])('is sent again with the same key and body when its answer %s', async (_what, fail) => {
    const { client, seen } = await clientOf((_, response, nth) =>
      nth < 3 ? fail(response) : json(response, 201, { id: 'Transaction:1' }),
    );
    expect(await transferOut(client)).toEqual({ id: 'Transaction:1' });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has a key of its own each time, or the one that is given', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    await client.executeQuote({ path: { quoteId: 'Quote:1' } });
    await client.executeQuote({ path: { quoteId: 'Quote:1' } });
    await client.executeQuote({ path: { quoteId: 'Quote:1' }, idempotencyKey: 'mine' });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(3);
    expect(seen[2]?.key).toBe('mine');
  });

  it('has a key where there is no crypto.randomUUID, as on pages that came by http', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    onTestFinished(() => void vi.unstubAllGlobals());
    await transferOut(client);
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  const quoteId = 'Quote:1';
  it.each([
    ['Idempotency-Key', { 'Idempotency-Key': 'mine' }],
    ['idempotency-key', { 'idempotency-key': 'mine' }],
    ['IDEMPOTENCY-KEY', { 'IDEMPOTENCY-KEY': 'mine', 'idempotency-key': null }],
    ['idempotency-key of Headers', new Headers({ 'Idempotency-Key': 'mine' })],
  ])('has the key that is given as a header, spelled %s', async (_spelling, headers) => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    // As JavaScript calls it.
    await client.executeQuote({ path: { quoteId }, headers: headers as never });
    await client.executeQuote({ path: { quoteId }, headers: headers as never, idempotencyKey: 'mine' });
    expect(seen.map(({ key }) => key)).toEqual(['mine', 'mine']);
  });

  it('has its other headers beside the key, and a drawn one where the header is not set', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    const unset = { 'Idempotency-Key': undefined, 'Request-Id': 'r1' };
    await client.executeQuote({ path: { quoteId }, headers: unset as never });
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(seen[0]?.requestId).toBe('r1');
  });

  it('with one key as a header and another beside it is not sent', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    const headers = { 'Idempotency-Key': 'mine' };
    const call = client.executeQuote({ path: { quoteId }, headers, idempotencyKey: 'another' });
    await expect(call).rejects.toThrow(
      'executeQuote: idempotencyKey and headers.Idempotency-Key are different',
    );
    await expect(call).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('takes no header by its type that would not be the key', () => {
    const call = (client: Daybook) =>
      // @ts-expect-error A name that is nearly that of the key.
      client.transferOut({ ...payment, headers: { 'Idempotency-Keys': 'mine' } });
    expect(call).toBeTypeOf('function');
  });

  it('is given up after the last try, with what it came to', async () => {
    const { client, seen } = await clientOf((_, response) => response.destroy(), { retries: 1 });
    await expect(transferOut(client)).rejects.toThrow(NoAnswer);
    expect(seen).toHaveLength(2);
  });

  it('that is refused is not sent again, and tells why', async () => {
    const { client, seen } = await clientOf((_, response) => refuse(response, 400, 'INSUFFICIENT_BALANCE'));
    const error = await transferOut(client).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DaybookError);
    expect(error).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE', requestId: 'r1' });
    expect(seen).toHaveLength(1);
  });
});

describe('a device code', () => {
  it('is redeemed with the Redemption-Key that is given as a header', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, {}));
    const headers = { 'Redemption-Key': 'mine' };
    await client.redeemDeviceCode({ path: { code: 'ABCD-EFGH' }, headers });
    expect(seen[0]?.key).toBe('mine');
  });
});

describe('a request without a key', () => {
  const createCustomer = (client: Daybook) =>
    client.createCustomer({ body: { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' } });

  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['is 503', (response: ServerResponse) => refuse(response, 503, 'SERVICE_UNAVAILABLE')],
  ])('that writes is not sent again when its answer %s: it may be done', async (_what, fail) => {
    const { client, seen } = await clientOf((_, response) => fail(response));
    await expect(createCustomer(client)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it('that writes is sent again after 429, which is answered before anything is done', async () => {
    const { client, seen } = await clientOf((_, response, nth) =>
      nth === 1 ? refuse(response, 429, 'RATE_LIMITED') : json(response, 201, { id: 'Customer:1' }),
    );
    await createCustomer(client);
    expect(seen).toHaveLength(2);
  });

  it('is not sent again where a limit of the day is exceeded: it is the same until midnight', async () => {
    const pauses: unknown[] = [];
    const { client, seen } = await clientOf(
      (_, response) => refuse(response, 429, 'DAILY_VOLUME_LIMIT_EXCEEDED'),
      { onPause: (pause) => void pauses.push(pause) },
    );
    await expect(createCustomer(client)).rejects.toMatchObject({
      status: 429,
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
    });
    await expect(getCustomer(client)).rejects.toMatchObject({ code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
    expect(seen).toHaveLength(2);
    expect(pauses).toEqual([]);
  });

  it('that reads is sent again', async () => {
    const { client, seen } = await clientOf((_, response, nth) =>
      nth === 1 ? response.destroy() : json(response, 200, {}),
    );
    await getCustomer(client);
    expect(seen).toHaveLength(2);
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('in %s is waited for', async (_form, after) => {
    const times: number[] = [];
    const { client } = await clientOf((_, response, nth) => {
      times.push(performance.now());
      if (nth > 1) json(response, 200, {});
      else refuse(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': after() });
    });
    await getCustomer(client);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(900);
  });

  it('of more than a minute is told to the caller', async () => {
    const { client, seen } = await clientOf((_, response) =>
      refuse(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '3600' }),
    );
    await expect(getCustomer(client)).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
  });

  it('is told while it is waited for, however the pause ends', async () => {
    const stop = new AbortController();
    const pauses: Pause[] = [];
    const onPause = (pause: Pause) => {
      pauses.push(pause);
      if (pauses.length === 2) stop.abort(new Error('enough'));
    };
    const { client, seen } = await clientOf(
      (_, response, nth) =>
        nth === 1
          ? response.destroy()
          : refuse(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' }),
      { onPause },
    );
    const call = client.getCustomer({ path: { customerId: 'Customer:1' }, signal: stop.signal });
    await expect(call).rejects.toThrow('enough');
    expect(pauses.map(({ status }) => status)).toEqual([undefined, 503]);
    expect(pauses[1]?.ms).toBeGreaterThanOrEqual(50_000);
    await Promise.all(pauses.map(({ over }) => over));
    expect(seen).toHaveLength(2);
  });
});

describe('a call', () => {
  it('ends with the reason of its signal, between two tries too', async () => {
    const stop = new AbortController();
    const { client } = await clientOf((_, response) => {
      refuse(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' });
      setTimeout(() => stop.abort(new Error('enough')), 20);
    });
    const call = client.getCustomer({ path: { customerId: 'Customer:1' }, signal: stop.signal });
    await expect(call).rejects.toThrow('enough');
  });

  it('is tried again when a try takes too long', async () => {
    const { client, seen } = await clientOf((_, response, nth) => void (nth > 1 && json(response, 200, {})), {
      timeoutMs: 300,
      retries: 20,
    });
    await getCustomer(client);
    expect(seen.length).toBeGreaterThan(1);
  });

  it('that nobody of the service answers tells what came instead', async () => {
    const { client } = await clientOf((_, response) => response.writeHead(404).end('<html>proxy</html>'));
    await expect(getCustomer(client)).rejects.toMatchObject({ code: 'UNKNOWN', status: 404 });
  });

  it.each([
    ['a page in place of JSON', '<html>sign in</html>', 'sign in'],
    ['half of an answer', '{"id":"Customer:1', 'Customer:1'],
    ['nothing', '', 'OK'],
  ])('that is answered 200 with %s tells what came instead', async (_what, text, told) => {
    const { client } = await clientOf((_, response) => response.end(text));
    const call = getCustomer(client);
    await expect(call).rejects.toMatchObject({ code: 'UNKNOWN', status: 200 });
    await expect(call).rejects.toThrow(told);
  });

  it('that is sent elsewhere is not made there, where it would be another one', async () => {
    const { client, seen } = await clientOf((_, response) =>
      response.writeHead(301, { location: '/elsewhere' }).end(),
    );
    await expect(transferOut(client)).rejects.toMatchObject({
      code: 'UNKNOWN',
      status: 301,
      message: '301 UNKNOWN: Moved Permanently, to /elsewhere',
    });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /2025-10-13/transfer-out']);
  });

  it.each([
    ['idempotencykey', (client: Daybook) => client.transferOut({ ...payment, idempotencykey: 'k' } as never)],
    [
      'Idempotency-Key',
      (client: Daybook) => client.transferOut({ ...payment, 'Idempotency-Key': 'k' } as never),
    ],
    ['status', (client: Daybook) => client.listTransactions({ status: 'FAILED' } as never)],
    ['idempotencyKey', (client: Daybook) => client.createCustomer({ idempotencyKey: 'k' } as never)],
    ['onOpen', (client: Daybook) => client.createCustomer({ onOpen: () => undefined } as never)],
  ])('that is given %s, which it does not know, is not sent', async (name, call) => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, { data: [] }));
    const said = `${name} is not known here; there are path, query, headers, body, signal`;
    const error = await call(client).then(undefined, (refused: unknown) => refused);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(said);
    expect(seen).toEqual([]);
  });

  it('says what is wrong with a field where the message only names it, and five such reasons at most', async () => {
    const errors = ['a', 'b', 'c', 'd', 'e', 'f'].map((field) => ({ field, message: 'must be a date' }));
    const answers = [
      { message: 'Check this field: a.', details: { errors: errors.slice(0, 1) } },
      { message: 'Check these fields: a, b, c, d, e, f.', details: { errors } },
      { message: 'a must be a date.', details: { errors: errors.slice(0, 1) } },
      { message: 'no', details: { errors: 'none' } },
      { message: 'no', details: { errors: [null, 'a', { field: 'a' }, { field: 'a', message: 7 }] } },
    ];
    const { client } = await clientOf((_, response, nth) =>
      json(response, 400, { status: 400, code: 'INVALID_INPUT', ...answers[nth - 1] }),
    );
    const messages: string[] = [];
    for (const _ of answers)
      messages.push(await getCustomer(client).then(String, ({ message }: Error) => message));
    const each = ['a', 'b', 'c', 'd', 'e'].map((field) => `${field} must be a date.`).join(' ');
    expect(messages).toEqual([
      '400 INVALID_INPUT: Check this field: a. a must be a date.',
      `400 INVALID_INPUT: Check these fields: a, b, c, d, e, f. ${each}`,
      '400 INVALID_INPUT: a must be a date.',
      '400 INVALID_INPUT: no',
      '400 INVALID_INPUT: no',
    ]);
  });

  it.each([undefined, null, '', '.', '..'])('that names nothing in its path is not sent: %j', async (id) => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, { data: [] }));
    const said = `getCustomer: path.customerId is ${JSON.stringify(id)}`;
    await expect(client.getCustomer({ path: { customerId: id as never } })).rejects.toThrow(said);
    await expect(client.getCustomer({ path: { id: 'Customer:1' } } as never)).rejects.toThrow(TypeError);
    await expect(client.getCustomer(undefined as never)).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('whose answer breaks off in its body has no answer: one that reads is sent again, another is not', async () => {
    const breakOff = (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"id":');
      setTimeout(() => response.destroy(), 20);
    };
    const reading = await clientOf((_, response, nth) =>
      nth === 1 ? breakOff(response) : json(response, 200, { id: 'Customer:1' }),
    );
    expect(await getCustomer(reading.client)).toEqual({ id: 'Customer:1' });
    const writing = await clientOf((_, response) => breakOff(response));
    const created = writing.client.createCustomer({
      body: { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' },
    });
    await expect(created).rejects.toThrow(NoAnswer);
    expect(writing.seen).toHaveLength(1);
  });

  it('whose answer stops in its body is given up in time', async () => {
    const { client } = await clientOf(
      (_, response) => void response.writeHead(200, { 'content-length': '100' }).write('{"id":'),
      { timeoutMs: 300, retries: 0 },
    );
    await expect(getCustomer(client)).rejects.toThrow(NoAnswer);
  });

  it('that has no body is answered with nothing', async () => {
    const { client } = await clientOf((_, response) => response.writeHead(204).end());
    expect(await client.deleteToken({ path: { tokenId: 'Token:1' } })).toBeUndefined();
  });

  it('throws for an integer that would lose digits', async () => {
    const { client } = await clientOf((_, response) => response.end('{"amount":9007199254740993}'));
    await expect(getCustomer(client)).rejects.toThrow(RangeError);
  });

  it('tells a refusal without its details where they would lose digits', async () => {
    const refusal = '"code":"INVALID_INPUT","message":"too much","details":{"amount":9007199254740993}';
    const { client } = await clientOf((_, response) => response.writeHead(400).end(`{${refusal}}`));
    await expect(getCustomer(client)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: '400 INVALID_INPUT: too much',
      details: undefined,
    });
  });

  it('reads a refusal as it is told to', async () => {
    const refusal = '"code":"INVALID_INPUT","message":"too much","details":{"amount":9007199254740993}';
    const parse = (text: string) =>
      JSON.parse(text, (key, value, { source }: { source?: string } = {}) =>
        key === 'amount' ? source : value,
      );
    const { client } = await clientOf((_, response) => response.writeHead(400).end(`{${refusal}}`), {
      parse,
    });
    await expect(getCustomer(client)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { amount: '9007199254740993' },
    });
  });

  it.each(['9007199254740993', '[9007199254740993]', 'null', '{"code":"INVALID_INPUT"}'])(
    'is told what came in place of a refusal: %s',
    async (text) => {
      const { client } = await clientOf((_, response) => response.writeHead(400).end(text));
      await expect(getCustomer(client)).rejects.toMatchObject({ code: 'UNKNOWN', status: 400 });
    },
  );

  it('reads JSON as it is told to', async () => {
    const parse = (text: string) => ({ text });
    const { client } = await clientOf((_, response) => response.end('{"amount":9007199254740993}'), {
      parse,
    });
    expect(await getCustomer(client)).toEqual({ text: '{"amount":9007199254740993}' });
  });

  it('sends path, query and credentials as the interface wants them', async () => {
    const { client, seen } = await clientOf((_, response) => json(response, 200, { data: [] }));
    await client.getQuote({ path: { quoteId: 'Quote:1/2' } });
    await client.listPlatformInternalAccounts({ query: { currency: 'USD' } });
    expect(seen.map(({ url }) => url)).toEqual([
      '/2025-10-13/quotes/Quote%3A1%2F2',
      '/2025-10-13/platform/internal-accounts?currency=USD',
    ]);
  });
});

describe('a list', () => {
  const listing = () =>
    clientOf(({ url }, response) => {
      const { searchParams } = new URL(url, 'http://x');
      const at = Number(searchParams.get('cursor') ?? 0);
      const hasMore = at < 4;
      const data = [{ id: `${at}` }, { id: `${at + 1}` }];
      json(response, 200, { data, totalCount: 6, hasMore, ...(hasMore && { nextCursor: `${at + 2}` }) });
    });

  it('is its first page when it is awaited', async () => {
    const { client, seen } = await listing();
    expect(await client.listCustomers({ query: { limit: 2 } })).toMatchObject({
      hasMore: true,
      totalCount: 6,
    });
    expect(seen.map(({ url }) => url)).toEqual(['/2025-10-13/customers?limit=2']);
  });

  it('is every item of all pages when it is iterated, with the filters on each page', async () => {
    const { client, seen } = await listing();
    const ids = [];
    for await (const { id } of client.listCustomers({ query: { limit: 2 } })) ids.push(id);
    expect(ids).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(seen.at(-1)?.url).toBe('/2025-10-13/customers?limit=2&cursor=4');
  });

  it.each([
    ['none', {}],
    ['the same again', { nextCursor: 'here' }],
  ])('does not go on for ever where there is more and the next place is %s', async (_what, place) => {
    const { client, seen } = await clientOf((_, response) =>
      json(response, 200, { data: [{ id: '0' }], totalCount: 9, hasMore: true, ...place }),
    );
    const all = async () => {
      for await (const { id } of client.listCustomers()) expect(id).toBe('0');
    };
    await expect(all()).rejects.toThrow(/where it goes on/);
    expect(seen.length).toBeLessThanOrEqual(2);
  });

  it('is caught and ended as promises are', async () => {
    const { client, seen } = await clientOf((_, response) => refuse(response, 400, 'INVALID_INPUT'));
    let ended = 0;
    const call = client.listCustomers();
    expect(seen).toEqual([]);
    expect(await call.catch(({ code }: DaybookError) => code)).toBe('INVALID_INPUT');
    await expect(call.finally(() => ended++)).rejects.toThrow(DaybookError);
    await assert.rejects(client.listCustomers(), { code: 'INVALID_INPUT' });
    expect(ended).toBe(1);
  });

  it('may have its schema by a name, and further fields on each page', async () => {
    const { client } = await listing();
    const { opening, data } = await client.getStatement({ path: { accountId: 'InternalAccount:1' } });
    expect([opening, data.length]).toEqual([undefined, 2]);
    let count = 0;
    for await (const { eventId } of client.getCustomerHistory({ path: { customerId: 'Customer:1' } }))
      count += eventId === undefined ? 1 : 0;
    expect(count).toBe(6);
  });

  it('asks for no page that nobody comes to', async () => {
    const { client, seen } = await listing();
    for await (const { id } of client.listCustomers()) if (id === '1') break;
    expect(seen).toHaveLength(1);
  });
});

describe('a stream of events', () => {
  const head = { 'content-type': 'text/event-stream' };
  const event = (place: number) =>
    `id: ${place}\nevent: TokenIssued\ndata: ${JSON.stringify({ id: 'e', type: 'TokenIssued', data: { place } })}\n\n`;
  const places = async (events: AsyncIterable<{ readonly place: string }>) => {
    const seen = [];
    for await (const { place } of events) seen.push(place);
    return seen;
  };

  it('is read event by event as it comes, without comments, wherever it is cut', async () => {
    let go: () => void = () => undefined;
    const { client, seen } = await clientOf((_, response) => {
      const text = event(2) + event(3);
      response.writeHead(200, head).write(`: begun\n\n${event(1)}${text.slice(0, 9)}`);
      go = () => response.end(`${text.slice(9)}: here\n\n`);
    });
    const events = client.sandboxStreamEvents({ query: { after: '0' } })[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({
      place: '1',
      type: 'TokenIssued',
      data: { place: 1 },
    });
    go();
    expect((await events.next()).value).toMatchObject({ place: '2' });
    expect((await events.next()).value).toMatchObject({ place: '3' });
    expect((await events.next()).done).toBe(true);
    expect(seen.map(({ url }) => url)).toEqual(['/2025-10-13/sandbox/events?after=0']);
  });

  it('has texts with the line separators of Unicode in one piece', async () => {
    const text = 'a\u2028b\u2029c';
    const { client } = await clientOf((_, response) =>
      response.writeHead(200, head).end(`id: 1\ndata: ${JSON.stringify({ id: 'e', data: { text } })}\n\n`),
    );
    const { value } = await client.sandboxStreamEvents()[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ place: '1', data: { text } });
  });

  it('may take longer than a call, ends with its signal, and tells when it breaks off', async () => {
    const late = await clientOf(
      (_, response) => {
        response.writeHead(200, head).write(event(1));
        setTimeout(() => response.end(event(2)), 600);
      },
      { timeoutMs: 300 },
    );
    expect(await places(late.client.sandboxStreamEvents())).toEqual(['1', '2']);
    const broken = await clientOf((_, response) => {
      response.writeHead(200, head).write(event(1));
      setTimeout(() => response.destroy(), 20);
    });
    await expect(places(broken.client.sandboxStreamEvents())).rejects.toThrow(NoAnswer);
    const endless = await clientOf((_, response) => void response.writeHead(200, head).write(event(1)));
    const stop = new AbortController();
    const following = places(endless.client.sandboxStreamEvents({ signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(following).rejects.toThrow('enough');
  });

  it('ends with its signal, and its connection with it, though garbage was collected meanwhile', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await clientOf((_, response) => {
      response.once('close', closed.resolve).writeHead(200, head).write(event(1));
    });
    const stop = new AbortController();
    const events = client.sandboxStreamEvents({ signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    await collectGarbage();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await closed.promise;
  });

  it('tells when its answer has begun, before it has an event', async () => {
    let go: () => void = () => undefined;
    const { client } = await clientOf((_, response) => {
      response.writeHead(200, head).flushHeaders();
      go = () => response.end(event(1));
    });
    const opened = vi.fn(() => go());
    const events = client.sandboxStreamEvents({ onOpen: opened });
    expect(opened).not.toHaveBeenCalled();
    expect(await places(events)).toEqual(['1']);
    expect(opened).toHaveBeenCalledOnce();
  });

  it('that is refused throws what the service said, and has not begun', async () => {
    const { client } = await clientOf((_, response) => refuse(response, 400, 'INVALID_INPUT'));
    const onOpen = vi.fn();
    await expect(places(client.sandboxStreamEvents({ onOpen }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(onOpen).not.toHaveBeenCalled();
  });
});
