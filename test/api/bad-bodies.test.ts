import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json } from '../support/http/client.ts';
import { atMost } from '../support/http/concurrency.ts';
import { replayed } from '../support/http/idempotency.ts';
import { expectProblem, namedFields, problemOf } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { type DocumentedOperation, takingBasic, titled } from '../support/interface/interface.ts';
import { spoiltObjects, validValue } from '../support/interface/schema-values.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Belongings, createBelongings, targetOf } from '../support/resources/platforms.ts';

const mebibyte = 1_048_576;

const service = serviceOfTests();
let belongings: Belongings;
beforeAll(async () => {
  belongings = await createBelongings(service.client);
});

const withBody = takingBasic.filter(({ body }) => body);

/** The members that a body must have; none where everything may be left out. */
const requiredOf = ({ body }: DocumentedOperation): string[] =>
  body?.required ??
  body?.anyOf?.flatMap((one: { required?: string[] }) => one.required ?? []) ??
  (body?.discriminator ? [body.discriminator.propertyName] : []);

type Sent = Parameters<typeof send>[3];
const sendTo = (operation: DocumentedOperation, sent: Sent): Promise<Answer> =>
  send(service, operation.method, targetOf(operation, belongings), sent);

/** Text inside a body whose other members are right. */
const around = (operation: DocumentedOperation, member: string) =>
  JSON.stringify(validValue(operation.body)).replace(/^\{/, `{${member},`).replace(',}', '}');

const nothing: [string, Sent][] = [
  ['no body', {}],
  ['an empty body', { text: '', headers: { 'content-type': 'application/json' } }],
];

/** What a body needs although its schema leaves it open: that depends on what the body or the resource is. */
const neededMembers: Readonly<Record<string, readonly string[]>> = {
  sandboxReceive: [
    'senderUmaAddress',
    'receiverUmaAddress',
    'receivingCurrencyCode',
    'receivingCurrencyAmount',
  ],
  createAuthCredential: ['type'],
  sandboxAdvanceClock: ['duration'],
  verifyAuthCredential: ['otp'],
};

/** The resource that the body goes to ignores it, if it can be received: an EMAIL_OTP credential here. */
const ignoresTheBody = ({ operationId }: DocumentedOperation) => operationId === 'challengeAuthCredential';
const looking = withBody.filter((operation) => !ignoresTheBody(operation));

/** What is made each time has an id and a time of its own; all else is the same. */
const sameIn = ({ id: _id, createdAt: _at, events: _events, ...rest }: Json): Json => rest;

describe.each(nothing)('a request with %s', (_what, sent) => {
  it.each(titled(withBody.filter(({ bodyRequired }) => bodyRequired)))(
    'does not do for %s',
    async (_id, operation) => {
      expectProblem(await sendTo(operation, sent), 400, 'INVALID_REQUEST_FORMAT');
    },
  );

  it.each(titled(withBody.filter(({ bodyRequired }) => !bodyRequired)))(
    'means the same as {} to %s',
    async (_id, operation) => {
      // What can be decided once is decided by the first.
      const { status: first } = await sendTo(operation, sent);
      const { status, body } = await sendTo(operation, sent);
      const empty = await sendTo(operation, { body: {} });
      expect([status, sameIn(body)]).toEqual([empty.status, sameIn(empty.body)]);
      expect([first, status]).not.toContain(400);
    },
  );
});

const undecodable: [string, Sent][] = [
  ['an unknown encoding', { text: '{}', headers: { 'content-encoding': 'zip' } }],
  ['what is not gzip', { text: '{}', headers: { 'content-encoding': 'gzip' } }],
];

describe.each(undecodable)('a body that cannot be received: %s', (_what, sent) => {
  it.each(titled(withBody))('is refused by %s', async (_id, operation) => {
    expectProblem(await sendTo(operation, sent), 400, 'INVALID_REQUEST_FORMAT');
  });
});

const unreadable: [string, Sent][] = [
  ['text in place of JSON', { text: 'amount=1' }],
  ['half of an object', { text: '{"amount":' }],
  ['a trailing comma', { text: '{"amount":1,}' }],
  ['two values', { text: '{}{}' }],
  ['another content type', { text: '{}', headers: { 'content-type': 'text/plain' } }],
  ['a form', { text: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
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
  it.each(titled(looking))('is refused by %s', async (_id, operation) => {
    expectProblem(await sendTo(operation, sent), 400, 'INVALID_REQUEST_FORMAT');
  });

  it.each(titled(withBody.filter(ignoresTheBody)))('is ignored by %s', async (_id, operation) => {
    expect((await sendTo(operation, sent)).status).toBe(200);
  });
});

describe.each(titled(withBody))('the body of %s', (_id, operation) => {
  const isIgnored = ignoresTheBody(operation);
  it.each(['[]', '"text"', 'null', '7', 'true', '[{}]'])('is not %s, unless it is ignored', async (text) => {
    expect((await sendTo(operation, { text })).status).toBe(isIgnored ? 200 : 400);
  });

  it('is at most 1 MiB', async () => {
    const padded = (length: number) => around(operation, `"unknown":"${'x'.repeat(length)}"`);
    expectProblem(await sendTo(operation, { text: padded(mebibyte) }), 413);
    expectProblem(await sendTo(operation, { text: padded(5 * mebibyte) }), 413);
    expect((await sendTo(operation, { text: padded(mebibyte - 10_000) })).status).not.toBe(413);
  });

  const spoilt = spoiltObjects(operation.body);
  if (isIgnored) {
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
      const messages: string[] = problem.details.errors.map(({ message }: Json) => message);
      expect(messages.filter((message) => !message.includes('is required'))).toEqual([]);
    });
  } else {
    it('may say nothing', async () => {
      expect((await sendTo(operation, { body: {} })).status).toBeOneOf([200, 201, 409]);
    });
  }

  it('does not take members from __proto__', async () => {
    const members = validValue(operation.body, 'all') as object;
    expect(Object.keys(members)).not.toEqual([]);
    const text = `{"__proto__":${JSON.stringify(members)},"constructor":{"prototype":{}}}`;
    const { status, body } = await sendTo(operation, { text });
    const empty = await sendTo(operation, { body: {} });
    expect([status, sameIn(body)]).toEqual([empty.status, sameIn(empty.body)]);
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

describe('a body that is no JSON', () => {
  it.each(["{'otp':483920}", `{"otp":'483920'}`, '{"otp":483920,}', 'otp=483920'])(
    'is refused without a part of it, and so is its repeat: %s',
    async (text) => {
      const sent = { text, headers: { 'idempotency-key': randomUUID() } };
      const first = await send(service, 'POST', '/quotes', sent);
      const { message } = expectProblem(first, 400, 'INVALID_REQUEST_FORMAT');
      expect(message).toMatch(/^The body is not valid JSON: expected [^\d]+ at line 1, column \d+\.$/);
      const again = await send(service, 'POST', '/quotes', sent);
      expect([replayed(again), again.body]).toEqual(['true', first.body]);
      expect(JSON.stringify(first.body)).not.toContain('483920');
    },
  );
});
