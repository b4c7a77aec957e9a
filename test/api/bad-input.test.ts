import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { atMost } from '../support/concurrency.ts';
import { type DocumentedOperation, documented, filled, titled } from '../support/interface.ts';
import { type Belongings, createBelongings, pathOf, queryOf, targetOf } from '../support/platforms.ts';
import { expectProblem, namedFields, problemOf } from '../support/problems.ts';
import { spoiltObjects, validValue, wrongQueryValues } from '../support/schema-values.ts';
import { send } from '../support/send.ts';
import { startTestService, type TestService } from '../support/service.ts';

const mebibyte = 1_048_576;

let service: TestService;
let belongings: Belongings;
beforeAll(async () => {
  service = await startTestService();
  belongings = await createBelongings(service.client);
});
afterAll(() => service.stop());

const withBasic = documented.filter(({ schemes }) => schemes.includes('basic'));
const withBody = withBasic.filter(({ body }) => body);
const uuid = '019a0000-0000-7000-8000-000000000000';

/** The members that a body must have; none where everything may be left out. */
const requiredOf = ({ body }: DocumentedOperation): string[] =>
  body?.required ??
  body?.anyOf?.flatMap((one: { required?: string[] }) => one.required ?? []) ??
  (body?.discriminator ? [body.discriminator.propertyName] : []);

type Sent = Parameters<typeof send>[3];
const sendTo = (operation: DocumentedOperation, sent: Sent): Promise<Answer> =>
  send(service, operation.method, targetOf(operation, belongings), sent);
/** With this query; what the operation must have besides is right. */
const ask = (operation: DocumentedOperation, query: string, without?: string): Promise<Answer> => {
  const least = new URLSearchParams(queryOf(operation, belongings));
  if (without) least.delete(without);
  return send(service, operation.method, `${pathOf(operation, belongings)}?${least}&${query}`);
};

/** Text inside a body whose other members are right. */
const around = (operation: DocumentedOperation, member: string) =>
  JSON.stringify(validValue(operation.body)).replace(/^\{/, `{${member},`).replace(',}', '}');

const nothing: [string, Sent][] = [
  ['no body', {}],
  ['an empty body', { text: '', headers: { 'content-type': 'application/json' } }],
];

/** What a body needs although its schema leaves it open: that depends on what the body or the resource is. */
const neededMembers: Readonly<Record<string, readonly string[]>> = {
  createAuthCredential: ['type'],
  verifyAuthCredential: ['otp'],
};

/** The resource that the body goes to ignores it: an EMAIL_OTP credential here. */
const ignoringTheBody = ['challengeAuthCredential'];

describe.each(nothing)('%s', (_what, sent) => {
  it.each(titled(withBody.filter(({ bodyRequired }) => bodyRequired)))(
    'is not enough for %s',
    async (_id, operation) => {
      expectProblem(await sendTo(operation, sent), 400, 'INVALID_REQUEST_FORMAT');
    },
  );

  it.each(titled(withBody.filter(({ bodyRequired }) => !bodyRequired)))(
    'says as much as {} to %s',
    async (_id, operation) => {
      // What can be decided once is decided by the first.
      const { status: first } = await sendTo(operation, sent);
      const { status, body } = await sendTo(operation, sent);
      const empty = await sendTo(operation, { body: {} });
      expect([status, body]).toEqual([empty.status, empty.body]);
      expect([first, status]).not.toContain(400);
    },
  );
});

const unreadable: [string, Sent][] = [
  ['text in place of JSON', { text: 'amount=1' }],
  ['half of an object', { text: '{"amount":' }],
  ['a trailing comma', { text: '{"amount":1,}' }],
  ['two values', { text: '{}{}' }],
  ['another content type', { text: '{}', headers: { 'content-type': 'text/plain' } }],
  ['a form', { text: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['an unknown encoding', { text: '{}', headers: { 'content-encoding': 'zip' } }],
  ['what is not gzip', { text: '{}', headers: { 'content-encoding': 'gzip' } }],
  ['what is not UTF-8', { text: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
  ['UTF-16', { text: new Uint8Array(Buffer.from('\ufeff{}', 'utf16le')) }],
  ['a NUL in a text', { text: '{"unknown":"a\\u0000b"}' }],
  ['a NUL in a name', { text: '{"a\\u0000b":1}' }],
  ['half of a surrogate pair', { text: '{"unknown":"\\ud800"}' }],
  ['the other half', { text: '{"unknown":"\\udc00\\ud800"}' }],
  ['33 levels of lists', { text: `{"unknown":${'['.repeat(32)}${']'.repeat(32)}}` }],
  ['33 levels of objects', { text: `${'{"a":'.repeat(33)}1${'}'.repeat(33)}` }],
  ['100000 levels of lists', { text: `{"unknown":${'['.repeat(100_000)}` }],
  ['100000 levels of objects', { text: '{"a":'.repeat(100_000) }],
];

describe.each(unreadable)('a body that cannot be read: %s', (_what, sent) => {
  it.each(titled(withBody))('%s', async (_id, operation) => {
    expectProblem(await sendTo(operation, sent), 400, 'INVALID_REQUEST_FORMAT');
  });
});

describe.each(titled(withBody))('the body of %s', (_id, operation) => {
  it.each(['[]', '"text"', 'null', '7', 'true', '[{}]'])('is not %s', async (text) => {
    expectProblem(await sendTo(operation, { text }), 400);
  });

  it('is at most 1 MiB', async () => {
    const padded = (length: number) => around(operation, `"unknown":"${'x'.repeat(length)}"`);
    expectProblem(await sendTo(operation, { text: padded(mebibyte) }), 413);
    expectProblem(await sendTo(operation, { text: padded(5 * mebibyte) }), 413);
    expect((await sendTo(operation, { text: padded(mebibyte - 10_000) })).status).not.toBe(413);
  });

  const spoilt = spoiltObjects(operation.body);
  if (ignoringTheBody.includes(operation.operationId)) {
    it('is ignored', async () => {
      for (const { value } of spoilt) {
        expect((await sendTo(operation, { body: value })).status).toBeOneOf([200, 409]);
      }
    });
  } else {
    it('has every bad member named, at any depth', async () => {
      expect(spoilt.length).toBeGreaterThan(0);
      await atMost(16, spoilt, async ({ value, fields }) => {
        const named = namedFields(expectProblem(await sendTo(operation, { body: value }), 400));
        expect(fields.filter((field) => !named.includes(field))).toEqual([]);
      });
    });
  }

  const required = neededMembers[operation.operationId] ?? requiredOf(operation);
  if (required.length > 0) {
    it('has every missing member named', async () => {
      const problem = expectProblem(await sendTo(operation, { body: {} }), 400);
      expect(namedFields(problem)).toEqual(required.toSorted());
    });
  } else {
    it('may say nothing', async () => {
      expect((await sendTo(operation, { body: {} })).status).toBeOneOf([200, 409]);
    });
  }

  it('does not take members from __proto__', async () => {
    const members = validValue(operation.body, 'all') as object;
    expect(Object.keys(members)).not.toEqual([]);
    const text = `{"__proto__":${JSON.stringify(members)},"constructor":{"prototype":{}}}`;
    const { status, body } = await sendTo(operation, { text });
    const empty = await sendTo(operation, { body: {} });
    expect([status, body]).toEqual([empty.status, empty.body]);
  });

  it.each([
    ['members given twice', '"unknown":1,"unknown":2'],
    ['a member called __proto__', '"__proto__":{"status":"x"},"toString":1'],
    ['a number of 300 digits', `"unknown":${'9'.repeat(300)}`],
    ['a number beyond all doubles', '"unknown":1e999,"other":-1E+999,"third":1e-999'],
    ['31 levels', `"unknown":${'['.repeat(31)}${']'.repeat(31)}`],
    ['an emoji', '"unknown":"\\ud83d\\ude00😀"'],
  ])('may have %s that nobody asked for', async (_what, member) => {
    const answer = await sendTo(operation, { text: around(operation, member) });
    if (answer.status >= 400)
      expect(namedFields(problemOf(answer)).join()).not.toMatch(/unknown|other|third|proto/);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('a query', () => {
  const rows = withBasic.flatMap((operation) =>
    operation.query.flatMap(({ name, schema }) =>
      wrongQueryValues(schema).map((value) => [operation.operationId, name, value, operation] as const),
    ),
  );

  it.each(rows)('of %s has a bad %s named: %j', async (_id, name, value, operation) => {
    const answer = await ask(operation, `${new URLSearchParams({ [name]: value })}`, name);
    expect(namedFields(expectProblem(answer, 400))).toEqual([name]);
  });

  const single = withBasic.flatMap((operation) =>
    operation.query
      .filter(({ schema }) => !JSON.stringify(schema).includes('"array"'))
      .map(({ name }) => [operation.operationId, name, operation] as const),
  );
  it.each(single)('of %s takes %s once', async (_id, name, operation) => {
    const answer = await ask(operation, `${name}=1&${name}=2`, name);
    expect(namedFields(expectProblem(answer, 400))).toEqual([name]);
  });

  const listing = withBasic.filter(({ method }) => method === 'GET');
  it.each(titled(listing))('of %s may carry anything that nobody asked for', async (_id, operation) => {
    const odd = [
      '__proto__=1',
      'constructor[prototype]=1',
      'unknown=%zz',
      '%00=1',
      'a=%ff',
      '=',
      '&&',
      'limit%5B%5D=1',
      ...(operation.query.length === 0 ? ['a=%00', 'a=%ED%A0%80'] : []),
    ];
    for (const query of odd) {
      const { status } = await ask(operation, query);
      expect([query, status]).toEqual([query, expect.toBeOneOf([200, 404])]);
    }
  });
});

describe('a path', () => {
  const withParams = withBasic.filter(({ params }) => params.length > 0);
  const bad = [
    'x',
    `Nothing:${uuid}`,
    uuid,
    '%00',
    ' ',
    '%F0%9F%98%80',
    `Quote:${uuid}0`,
    "';--",
    'x'.repeat(5_000),
  ];

  const isAddressed = ({ path }: DocumentedOperation) => path.includes('{receiverUmaAddress}');
  const within = (operation: DocumentedOperation, id: string) => {
    const path = filled(operation.path, () => (id.startsWith('%') ? id : encodeURIComponent(id)));
    return `${path}?${new URLSearchParams(queryOf(operation, belongings))}`;
  };

  it.each(titled(withParams.filter((operation) => !isAddressed(operation))))(
    'of %s with an id that has no form leads nowhere',
    async (_id, operation) => {
      const sent = operation.body ? { body: validValue(operation.body) } : {};
      for (const id of bad)
        expectProblem(await send(service, operation.method, within(operation, id), sent), 404);
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'of %s with what is no payment address says so',
    async (_id, operation) => {
      const noAddresses = ['$@daybook.test', 'ada@daybook.test', '$ada', `$${'a'.repeat(64)}@daybook.test`];
      for (const address of [...bad, ...noAddresses])
        expectProblem(
          await send(service, operation.method, within(operation, address)),
          400,
          'INVALID_UMA_ADDRESS',
        );
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'of %s with a payment address that nobody has leads nowhere',
    async (_id, operation) => {
      for (const address of ['$nobody@daybook.test', '$success.usd@daybook.test', '$ada@example.com'])
        expectProblem(
          await send(service, operation.method, within(operation, address)),
          404,
          'UMA_NOT_FOUND',
        );
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'of %s may have the payment address raw, percent-encoded and in capitals',
    async (_id, operation) => {
      const { umaAddress } = belongings;
      const query = new URLSearchParams(queryOf(operation, belongings));
      for (const address of [umaAddress, encodeURIComponent(umaAddress), umaAddress.toUpperCase()]) {
        const path = `${filled(operation.path, () => address)}?${query}`;
        const { status, body } = await send(service, operation.method, path);
        expect([status, body.receiverUmaAddress]).toEqual([200, umaAddress]);
      }
    },
  );

  it.each(titled(withParams))('of %s that is badly encoded leads nowhere', async (_id, operation) => {
    for (const id of ['%', '%zz', '%E0%A4%A', '%C0%AF'])
      expectProblem(
        await send(
          service,
          operation.method,
          filled(operation.path, () => id),
        ),
        404,
      );
  });

  it.each([
    '/',
    '/nowhere',
    '/customers/a/b',
    '/Customers',
    '//customers',
    '/customers%2f',
    '/constructor',
    '/%zz',
  ])('that leads nowhere is 404: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])
      expectProblem(await send(service, method, path), 404);
  });

  const methodsOf = Map.groupBy(documented, ({ path }) => path);
  const wrongMethods = [...methodsOf].flatMap(([path, operations]) => {
    const allowed = operations.map(({ method }) => method).toSorted();
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    return others.filter((one) => !allowed.includes(one)).map((method) => [method, path, allowed] as const);
  });
  it.each(wrongMethods)('%s %s is not allowed', async (method, path, allowed) => {
    const answer = await send(
      service,
      method,
      filled(path, (name) => `Some:${name}`),
    );
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    const allow = answer.headers
      .get('allow')
      ?.split(/, */)
      .filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
    expect(allow?.toSorted()).toEqual(allowed);
  });
});
