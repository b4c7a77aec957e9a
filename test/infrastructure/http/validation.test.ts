import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codeOfFields } from '../../../src/api/fields/amount-fields.ts';
import { positiveAmount } from '../../../src/api/fields/fields.ts';
import { accountInfoSchema } from '../../../src/domain/external-accounts/definitions.ts';
import { parseWith, requireStorable } from '../../../src/infrastructure/http/validation.ts';
import { thrownBy } from '../../support/builders/spec.ts';

type FieldError = { readonly field: string; readonly message: string; readonly constraint?: unknown };

function rejection(run: () => unknown) {
  const error = thrownBy(run);
  const errors = z.custom<readonly FieldError[]>(Array.isArray);
  const details = z.object({ errors, more: z.number().optional() });
  return z
    .object({ name: z.literal('Rejected'), code: z.string(), message: z.string(), details })
    .parse(error instanceof Error ? { ...error, message: error.message, name: error.name } : error);
}
const refusal = (schema: z.ZodType, value: unknown) =>
  rejection(() => parseWith(schema, value, [], codeOfFields));
const errorsOf = (schema: z.ZodType, value: unknown) => refusal(schema, value).details.errors;
const fieldsOf = (schema: z.ZodType, value: unknown) => errorsOf(schema, value).map(({ field }) => field);

const person = z.object({
  name: z.string().min(2).max(5),
  email: z.email(),
  country: z.string().regex(/^[A-Z]{2}$/),
  kind: z.enum(['A', 'B']),
  home: z.object({ line1: z.string(), line2: z.string().optional() }),
  tags: z.array(z.string()).optional(),
});
const ada = {
  name: 'Ada',
  email: 'ada@example.com',
  country: 'GB',
  kind: 'A',
  home: { line1: '1 Main Street' },
};

describe('a valid request', () => {
  it('comes back without the fields that nobody knows', () => {
    expect(parseWith(person, { ...ada, extra: 1, home: { line1: 'x', extra: 2 } })).toEqual({
      ...ada,
      home: { line1: 'x' },
    });
  });
});

describe('a bad request', () => {
  it('has every bad field named at once', () => {
    const bad = { name: 'A', email: 'x', country: 'gb', kind: 'C', home: {}, tags: ['a', 1, 'b', 2] };
    const fields = ['name', 'email', 'country', 'kind', 'home.line1', 'tags.1', 'tags.3'];
    expect(refusal(person, bad)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `Check these fields: ${fields.join(', ')}.`,
    });
    expect(fieldsOf(person, bad)).toEqual(fields);
  });

  it('has every missing field named', () => {
    expect(fieldsOf(person, {})).toEqual(['name', 'email', 'country', 'kind', 'home']);
  });

  it('speaks of one bad field in the singular', () => {
    expect(refusal(person, { ...ada, kind: 'C' }).message).toBe('Check this field: kind.');
  });

  it.each([null, undefined, 7, 'text', []])('names the body itself when that is %j', (value) => {
    expect(refusal(person, value).message).toBe('Check this field: body.');
    expect(fieldsOf(person, value)).toEqual(['body']);
  });

  it('names a field once, for the first thing that is wrong with it', () => {
    const schema = z.object({
      code: z
        .string()
        .min(3)
        .regex(/^[a-z]+$/),
    });
    expect(errorsOf(schema, { code: '1' })).toMatchObject([{ field: 'code', constraint: { minLength: 3 } }]);
  });

  it('has a message for each field', () => {
    for (const { message } of errorsOf(person, {})) expect(message).toMatch(/\w/);
  });
});

describe('a request with very many bad fields', () => {
  const record = z.object({ info: z.record(z.string(), z.string().max(2)) });
  const info = (fields: number, name = 'field') =>
    Object.fromEntries(Array.from({ length: fields }, (_, n) => [`${name}${n}`, 7]));

  it('has 50 of them named, and the others counted', () => {
    const { message, details } = refusal(record, { info: info(52) });
    expect(message).toMatch(/^Check these fields: info\.field0, .*, info\.field49 and 2 more\.$/);
    expect(details.errors).toHaveLength(50);
    expect(details.more).toBe(2);
  });

  it('counts nothing where all are named', () =>
    expect(refusal(record, { info: info(50) }).details).not.toHaveProperty('more'));

  it('is not told again what it calls its fields', () => {
    const bad = { info: info(60, 'x'.repeat(10_000)) };
    const { message, details } = refusal(record, bad);
    expect(message.length + JSON.stringify(details).length).toBeLessThan(100_000);
  });

  it('is judged by all of them', () => {
    const amounts = z.object({ amount: positiveAmount(9n), others: record.shape.info });
    expect(refusal(amounts, { amount: 0, others: info(60) }).code).toBe('INVALID_INPUT');
  });
});

describe('a constraint', () => {
  it.each([
    ['a short text', z.string().min(2), 'x', { minLength: 2 }],
    ['a long text', z.string().max(2), 'xyz', { maxLength: 2 }],
    ['a pattern', z.string().regex(/^[a-z]\/\d$/u), '!', { pattern: '^[a-z]\\/\\d$' }],
    ['a pattern with flags', z.string().regex(/^a$/i), 'b', { pattern: '^a$' }],
    ['an e-mail address', z.email(), 'x', { format: 'email' }],
    ['a date', z.iso.date(), 'x', { format: 'date' }],
    ['a moment', z.iso.datetime(), 'x', { format: 'datetime' }],
    ['a uuid', z.uuid(), 'x', { format: 'uuid' }],
    ['a choice', z.enum(['A', 'B']), 'C', { enum: ['A', 'B'] }],
    ['a constant', z.literal('A'), 'B', { enum: ['A'] }],
  ])('tells what %s has to be', (_name, schema, value, constraint) => {
    expect(errorsOf(z.object({ field: schema }), { field: value })).toMatchObject([
      { field: 'field', constraint },
    ]);
  });

  it.each([
    ['a wrong type', z.string(), 1],
    ['a small number', z.number().min(5), 1],
    ['a short list', z.array(z.string()).min(1), []],
    ['a rule of its own', z.string().refine(() => false, 'is not right'), 'x'],
  ])('is left out for %s', (_name, schema, value) => {
    expect(Object.keys(errorsOf(z.object({ field: schema }), { field: value })[0] ?? {})).toEqual([
      'field',
      'message',
    ]);
  });
});

describe('a bad amount', () => {
  const schema = z.object({ lockedCurrencyAmount: positiveAmount(100n), note: z.string().optional() });

  it.each([0, -1, 101, 1.5, '5', null, undefined, 2n ** 80n])(
    'has its own code when nothing else is wrong: %s',
    (value) => {
      expect(refusal(schema, { lockedCurrencyAmount: value })).toMatchObject({
        code: 'INVALID_AMOUNT',
        details: { errors: [{ field: 'lockedCurrencyAmount' }] },
      });
    },
  );

  it('is one of several bad fields otherwise', () => {
    expect(refusal(schema, { lockedCurrencyAmount: 0, note: 1 }).code).toBe('INVALID_INPUT');
  });

  it.each([{ other: z.int() }, { nested: z.object({ amount: z.int() }) }])(
    'is not what other fields have',
    (shape) => {
      expect(refusal(z.object(shape), { nested: {} }).code).toBe('INVALID_INPUT');
    },
  );
});

describe('a union', () => {
  const card = z.object({ type: z.literal('card'), number: z.string().min(4) });
  const bank = z.object({
    type: z.literal('bank'),
    account: z.object({ iban: z.string(), bic: z.string() }),
  });

  it.each([
    [{ type: 'card', number: '1' }, ['pay.number']],
    [{ type: 'bank', account: { iban: 1 } }, ['pay.account.iban', 'pay.account.bic']],
    [{ type: 'bank' }, ['pay.account']],
  ])('is explained by the variant that its discriminator means (row %#)', (pay, fields) => {
    expect(fieldsOf(z.object({ pay: z.discriminatedUnion('type', [card, bank]) }), { pay })).toEqual(fields);
  });

  it.each([
    [{ type: 'card', number: '1' }, ['pay.number']],
    [{ type: 'bank', account: { iban: 1 } }, ['pay.account.iban', 'pay.account.bic']],
  ])('is explained by the variant that fits best, without a discriminator (row %#)', (pay, fields) => {
    expect(fieldsOf(z.object({ pay: z.union([card, bank]) }), { pay })).toEqual(fields);
  });

  it('of values names all that one may be', () => {
    const holder = z.union([
      z.string().regex(/^C:/, 'must begin with C'),
      z.string().regex(/^O:/, 'must begin with O'),
    ]);
    expect(errorsOf(z.object({ holder }), { holder: 'x' })).toEqual([
      { field: 'holder', message: 'must begin with C, or must begin with O' },
    ]);
    expect(errorsOf(z.object({ holder }), {})).toHaveLength(1);
  });

  it('says what there is when nothing fits', () => {
    const [error] = errorsOf(z.object({ pay: z.discriminatedUnion('type', [card, bank]) }), {
      pay: { type: 'cash' },
    });
    expect(error).toMatchObject({ field: 'pay.type', constraint: { enum: ['card', 'bank'] } });
  });

  it('points at the account type', () => {
    const [error, ...others] = errorsOf(z.object({ accountInfo: accountInfoSchema }), {
      accountInfo: { accountType: 'X' },
    });
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      field: 'accountInfo.accountType',
      message: expect.stringMatching(/^must be one of the \d+ values /),
      constraint: { enum: expect.arrayContaining(['USD_ACCOUNT']) },
    });
  });
});

describe('text outside a JSON body', () => {
  it('may be anything that can be stored', () => {
    requireStorable({ a: 'text', b: ['more', '😀'], c: undefined, d: 7 });
  });

  it('is refused with all the fields that cannot', () => {
    const { code, details } = rejection(() =>
      requireStorable({ a: 'x\u0000', b: 'fine', c: ['fine', '\ud800'], d: '\udc00' }),
    );
    expect([code, details.errors.map(({ field }) => field)]).toEqual(['INVALID_INPUT', ['a', 'c', 'd']]);
  });
});
