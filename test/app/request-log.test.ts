import { describe, expect, it } from 'vitest';
import type { RequestBodiesRow, RequestLogRow } from '../../projections/tables/request-log.ts';
import {
  type Answered,
  bodiesPerBatch,
  bodyBytesMax,
  createRequestLog,
  searchedMax,
  waitingMax,
} from '../../src/api/console/requests/log.ts';
import { idsOf, mask, redactionBy } from '../../src/api/console/requests/redact.ts';
import { interfaceWords } from '../../src/app/interface/words.ts';
import { documented, openApiDocument, resolved, type Schema } from '../support/interface/interface.ts';
import { idOfNobody } from '../support/values/ids.ts';

const words = interfaceWords();
const { redacted, redactedQuery } = redactionBy(words);

/** Every name of a field that the interface has. */
function fieldsIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  if ('properties' in schema) for (const name of Object.keys(schema.properties as object)) found.add(name);
  for (const part of Object.values(schema)) fieldsIn(part, found);
  return found;
}
const fields = [...fieldsIn(openApiDocument)];

/** Those of bodies that take any text. */
function freeTextsIn(schema: Schema, found: Set<string>, within: readonly Schema[] = []): void {
  const { properties = {}, ...rest } = resolved(schema) ?? {};
  if (within.includes(schema)) return;
  for (const [name, member] of Object.entries<Schema>(properties)) {
    const { type, enum: words, const: word } = resolved(member);
    if (type === 'string' && !words && word === undefined) found.add(name);
    freeTextsIn(member, found, [...within, schema]);
  }
  const parts = [rest.items, rest.oneOf, rest.anyOf, rest.allOf].flat().filter(Boolean);
  for (const part of parts) freeTextsIn(part, found, [...within, schema]);
}
const freeTexts = new Set<string>();
for (const { body } of documented) if (body) freeTextsIn(body, freeTexts);

describe('what is kept of a body', () => {
  it('is no secret, whichever field it stands in', () => {
    expect(fields).toEqual(expect.arrayContaining(['clientSecret', 'otp', 'accessToken', 'code', 'iban']));
    const secrets = ['hush-hush-1815', 'SVC-AGENT-ABCD-2345', '431815', 'Ada', 'DE89370400440532013000', 'x'];
    for (const secret of secrets)
      for (const field of fields) {
        const body = { [field]: secret, [`${field}s`]: [secret], within: { [field]: [{ [field]: secret }] } };
        expect([field, JSON.stringify(redacted(body, 'answer')).includes(`"${secret}"`)]).toEqual([
          field,
          false,
        ]);
      }
    expect(redacted({ otp: 431_815, phone: 15_550_100, amount: 250 }, 'request')).toEqual({
      otp: mask,
      phone: mask,
      amount: 250,
    });
    expect(redacted({ 'Ada Lovelace': 'Ada Lovelace' }, 'request')).toEqual({ [mask]: mask });
    expect(redacted('Ada Lovelace', 'request')).toBe(mask);
    expect(redactedQuery('name=Ada&limit=7&createdAfter=2026-01-01T00:00:00Z&otp=1&Ada L=1')).toBe(
      `name=${mask}&limit=7&createdAfter=2026-01-01T00:00:00Z&otp=${mask}&${mask}=${mask}`,
    );
  });

  it('is no text that somebody writes, also where it is one word in capitals', () => {
    const free = [...freeTexts].filter((name) => !/currency/i.test(name));
    expect(free).toEqual(expect.arrayContaining(['state', 'reason', 'description', 'fullName']));
    for (const field of free)
      expect([field, redacted({ [field]: 'LOVELACE' }, 'request')]).toEqual([field, { [field]: mask }]);
    const address = { address: { state: 'CA' } };
    expect(redacted(address, 'answer')).toEqual({ address: { state: mask } });
    expect(redacted({ state: 'DELIVERED', reason: 'PAUSED' }, 'refusal')).toEqual({
      state: 'DELIVERED',
      reason: 'PAUSED',
    });
  });

  it('is no number of an account, whichever way it comes', () => {
    const numbers = [4_111_111_111_111_111, 123_456_789n];
    const names = ['account', 'senderAccount', 'savingsAccount', 'bankAccount', 'accountNumber', 'idCount'];
    for (const name of names)
      for (const number of numbers) {
        expect(redacted({ accountInfo: { [name]: number } }, 'request')).toEqual({
          accountInfo: { [name]: mask },
        });
        expect(redactedQuery(`${name}=${number}`)).toBe(`${name}=${mask}`);
      }
    expect(redacted({ account: numbers, totalCount: 3 }, 'answer')).toEqual({
      account: [mask, mask],
      totalCount: 3,
    });
  });

  it('is no word that the interface does not have', () => {
    const made = { businessType: 'MYDISEASE', kycStatus: 'SECRETWORD', currency: 'ADA', code: 'ADA' };
    const hidden = { businessType: mask, kycStatus: mask, currency: mask, code: mask };
    for (const said of ['request', 'answer', 'refusal'] as const)
      expect(redacted(made, said)).toEqual(hidden);
    expect(redactedQuery('status=SECRETWORD&type=INCOMING&currency=EUR')).toBe(
      `status=${mask}&type=INCOMING&currency=EUR`,
    );
    const known = { customerType: 'BUSINESS', kycStatus: 'APPROVED', currency: 'EUR', code: 'EUR' };
    expect(redacted(known, 'request')).toEqual(known);
  });

  it('is nothing that events say of a person, whatever form it has', () => {
    const birthDate = '1951-07-13T00:00:00.000Z';
    const idType = 'NON_US_TAX_ID';
    expect(words).toContain(idType);
    for (const said of ['request', 'answer', 'refusal'] as const)
      expect(redacted({ idType, birthDate, nationality: ['US'], createdAt: birthDate }, said)).toEqual({
        idType: mask,
        birthDate: mask,
        nationality: [mask],
        createdAt: birthDate,
      });
    expect(redactedQuery(`birthDate=${birthDate}&createdAfter=${birthDate}`)).toBe(
      `birthDate=${mask}&createdAfter=${birthDate}`,
    );
  });

  it('is nothing below a member that is personal, but for what tells the kinds of it apart', () => {
    const told = {
      since: '1951-07-13T00:00:00.000Z',
      id: idOfNobody('Customer'),
      idType: 'SSN',
      amount: 250,
      isExposed: true,
      left: null,
    };
    const hidden = { since: mask, id: mask, idType: mask, amount: mask, isExposed: mask, left: null };
    for (const name of ['personalInfo', 'accountInfo', 'counterpartyInformation'])
      expect(redacted({ [name]: [{ within: told }] }, 'answer')).toEqual({ [name]: [{ within: hidden }] });
    const kinds = { accountType: 'USD_ACCOUNT', beneficiary: { beneficiaryType: 'INDIVIDUAL' } };
    expect(redacted({ accountInfo: kinds }, 'request')).toEqual({ accountInfo: kinds });
    expect(redacted({ accountInfo: { accountType: told.since } }, 'request')).toEqual({
      accountInfo: { accountType: mask },
    });
  });

  it('is form, ids, moments, amounts and words', () => {
    const id = idOfNobody('Transaction');
    const shown = {
      id,
      status: 'COMPLETED',
      createdAt: '2026-01-31T09:00:00.000Z',
      sentAmount: { amount: 2_500, currency: { code: 'USD', decimals: 2 } },
      isPaused: false,
      nothing: null,
      large: undefined,
    };
    const { large: _left, ...kept } = shown;
    expect(redacted(JSON.parse(JSON.stringify(shown)), 'answer')).toEqual(kept);
    expect(idsOf(`${id} ${id} Token:no`)).toEqual([id]);
  });

  const idNamed = (n: number, type = 'Transaction') =>
    `${type}:00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`;

  it('finds ids wherever they stand, the first twenty of them, each once', () => {
    const [one, two] = [idNamed(1), idNamed(2, 'AuthMethod')];
    expect(idsOf(`/transactions/${one}/approve`, `{"id":"${two}","of":"see${one}"}`)).toEqual([one, two]);
    for (const none of ['', ':', one.toLowerCase(), one.slice(0, -1), `X${one.slice(11)}`])
      expect(idsOf(none)).toEqual([]);
    const many = Array.from({ length: 30 }, (_, n) => idNamed(n));
    expect(idsOf(many.join(), idNamed(99))).toEqual(many.slice(0, 20));
    expect(idsOf(...many.slice(0, 19), idNamed(99), idNamed(100))).toEqual([
      ...many.slice(0, 19),
      idNamed(99),
    ]);
  });
});

type Batch = { readonly rows: readonly RequestLogRow[]; readonly bodies: readonly RequestBodiesRow[] };

function logged(insert?: () => Promise<void>) {
  const batches: Batch[] = [];
  let lost = 0;
  const log = createRequestLog({
    insert: async (rows, bodies) => {
      await insert?.();
      batches.push({ rows, bodies });
    },
    dropped: (count) => {
      lost += count;
    },
    words: () => words,
  });
  return { log, batches, lost: () => lost };
}

const answered = (more: Partial<Answered> = {}): Answered =>
  Object.assign(
    {
      requestId: idOfNobody('Request'),
      platformId: idOfNobody('Platform'),
      actor: `token:${idOfNobody('Token')}`,
      at: new Date(),
      method: 'POST',
      path: '/transfer-out',
      operationId: 'transferOut',
      status: 200,
      ms: 1.2345,
      key: undefined,
      url: '/transfer-out?x=1',
      requestBody: Buffer.from('{"amount":1}'),
      responseText: '{"amount":1}',
    },
    more,
  );

describe('the log of requests', () => {
  it('takes no more than it can hold, counts the rest, and takes more after it was written', async () => {
    const { log, batches, lost } = logged();
    for (let n = 0; n < waitingMax + 7; n++) log.note(answered());
    expect(lost()).toBe(7);
    await log.write();
    expect(batches.flatMap(({ rows }) => rows)).toHaveLength(waitingMax);
    log.note(answered());
    await log.write();
    expect(batches.flatMap(({ rows }) => rows)).toHaveLength(waitingMax + 1);
    await log.write();
    expect(lost()).toBe(7);
  });

  it('keeps the bodies of some, and of refused ones beside them', async () => {
    const { log, batches } = logged();
    for (let n = 0; n < bodiesPerBatch + 50; n++) log.note(answered());
    log.note(answered({ status: 400, responseText: '{"status":400,"code":"INVALID_INPUT"}' }));
    await log.write();
    const { rows, bodies } = batches[0] as Batch;
    expect(rows).toHaveLength(bodiesPerBatch + 51);
    expect(rows.at(-1)?.code).toBe('INVALID_INPUT');
    expect(bodies).toHaveLength(bodiesPerBatch + 1);
    expect(bodies[0]).toMatchObject({ request_body: '{"amount":1}', truncated: false });
  });

  it('keeps nothing of what is too long, or no JSON', async () => {
    const { log, batches } = logged();
    const long = JSON.stringify({ amount: 1, text: 'x'.repeat(bodyBytesMax) });
    log.note(answered({ requestBody: Buffer.from(long), responseText: long }));
    log.note(answered({ requestBody: Buffer.from('hush-hush'), responseText: undefined }));
    await log.write();
    expect(batches[0]?.bodies).toMatchObject([
      { request_body: null, response_body: null, truncated: true },
      { request_body: null, response_body: null, truncated: false },
    ]);
  });

  it.each([
    ['', searchedMax],
    [', which is not kept', bodyBytesMax],
  ])('finds a request by the ids of its path, and of the beginning of its answer%s', async (_, length) => {
    const { log, batches } = logged();
    const [asked, first, last] = ['Transaction', 'Quote', 'Agent'].map((type) => idOfNobody(type as 'Agent'));
    const responseText = `{"first":"${first}","text":"${'x'.repeat(length)}","last":"${last}"}`;
    log.note(answered({ path: `/transactions/${asked}`, responseText }));
    await log.write();
    expect(batches[0]?.rows[0]?.resource_ids).toBe(`${asked} ${first}`);
  });

  it('finds a list by what it was asked for, and not by what it shows', async () => {
    const { log, batches } = logged();
    const [customer, shown] = [idOfNobody('Customer'), idOfNobody('Transaction')];
    const responseText = `{"data":[{"id":"${shown}"}],"hasMore":false,"totalCount":1}`;
    for (const named of [customer, customer.replace(':', '%3A'), customer.replace(':', '%3a')])
      log.note(answered({ path: '/transactions', url: `/transactions?customerId=${named}`, responseText }));
    await log.write();
    expect(batches[0]?.rows.map((row) => row.resource_ids)).toEqual([customer, customer, customer]);
  });

  it('counts what could not be written, and goes on', async () => {
    let isAway = true;
    const { log, batches, lost } = logged(async () => {
      if (isAway) throw new Error('away');
    });
    log.note(answered());
    await expect(log.write()).rejects.toThrow('away');
    expect(lost()).toBe(1);
    isAway = false;
    log.note(answered());
    await log.write();
    expect(batches).toHaveLength(1);
  });
});
