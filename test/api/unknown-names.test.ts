import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, basic, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { type DocumentedOperation, documented, filled, titled } from '../support/interface/interface.ts';
import { validValue } from '../support/interface/schema-values.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { employed } from '../support/resources/agents.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { quoteParties } from '../support/resources/payments.ts';
import { addCredential, byToken, createWallet } from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const { client } = service;
let accessToken: string;
let strictToken: string;
const strict = serviceOfTests();
beforeAll(async () => {
  for (const { client } of [service, strict]) {
    const customer = await createCustomer(client);
    const agent = await employed(client, customer.id);
    if (client === strict.client) strictToken = agent.accessToken;
    else accessToken = agent.accessToken;
  }
  expectStatus(await strict.client.patch('/config', { strictFields: true }), 200);
});

/** Where an id is wanted, one that has the form of one: what an operation does not know is told before it is looked up. */
const pathOf = (operation: DocumentedOperation): string =>
  filled(operation.path, (name) => encodeURIComponent(String(validValue(operation.paramSchemas[name]))));

type Content = {
  readonly query?: string;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly type?: string;
};
const sendTo = (
  operation: DocumentedOperation,
  { query = '', body, type }: Content,
  { client, credentials } = service,
): Promise<Answer> => {
  const token = client === strict.client ? strictToken : accessToken;
  const bearer = operation.schemes.includes('bearer');
  return client.raw(`${pathOf(operation)}?${query}`, {
    method: operation.method,
    headers: {
      authorization: bearer ? `Bearer ${token}` : basic(credentials),
      ...(type && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  });
};

const errorsOf = (answer: Answer): Json[] => expectProblem(answer, 400, 'INVALID_INPUT').details.errors;

describe('a parameter of the query that nobody knows', () => {
  it.each(titled(documented))('is refused to %s by name', async (_id, operation) => {
    const form = operation.takesForm && { body: formOf(fieldsOf('Customer:1')) };
    const errors = errorsOf(await sendTo(operation, { query: 'nobody_knows_this=1', ...form }));
    const refused = errors.find(({ field }) => field === 'nobody_knows_this');
    expect(refused?.message).toMatch(/^is not a parameter of this operation, which takes /);
    for (const { name } of operation.query) expect(refused?.message).toContain(name);
  });

  const misspelt = documented.flatMap((operation) =>
    operation.query.map(({ name }) => [operation.operationId, name, operation] as const),
  );
  it.each(misspelt)('is refused to %s with the name that was meant: %s', async (_id, name, operation) => {
    for (const written of [name.toUpperCase(), name.slice(0, -1), `${name}[]`]) {
      const refused = errorsOf(
        await sendTo(operation, { query: new URLSearchParams({ [written]: '1' }).toString() }),
      );
      const { message, constraint } = refused.find(({ field }) => field === written) ?? {};
      expect(message).toBe(`is not known here; did you mean ${name}?`);
      expect(constraint.enum).toEqual(operation.query.map((one) => one.name));
    }
  });

  it('does not list the payments of everybody', async () => {
    const answer = await client.get('/transactions', { customer: 'Customer:1' });
    expect(errorsOf(answer)[0]?.message).toContain('did you mean customerId?');
  });

  it('is refused beside what else is wrong', async () => {
    const errors = errorsOf(await client.get('/customers', { limit: '0', curser: 'x' }));
    expect(errors.map(({ field }) => field).toSorted()).toEqual(['curser', 'limit']);
  });
});

const withBody = documented.filter(({ body }) => body);
/** Who has no credentials has no platform that wants anything. */
const ofPlatforms = withBody.filter(({ schemes }) => schemes.length > 0);
const withoutBody = documented.filter(
  ({ body, takesForm, method }) => !body && !takesForm && method !== 'GET',
);

/** A body with a member too many, whose name has another case than one that is known. */
function bodyOf({ body }: DocumentedOperation): { readonly text: string; readonly odd: string } {
  const value = validValue(body) as Record<string, unknown>;
  const known = Object.keys(validValue(body, 'all') as object).find((name) => /[a-z][A-Z]/.test(name));
  const odd = known?.toLowerCase() ?? 'nobody_knows_this';
  return { text: JSON.stringify({ ...value, [odd]: 'x' }), odd };
}

const type = 'application/json';

describe('a member of a body that nobody knows', () => {
  it.each(titled(withBody))('is named in a warning by %s', async (_id, operation) => {
    const { text, odd } = bodyOf(operation);
    const answer = await sendTo(operation, { body: text, type });
    expect(answer.headers.get('warning')).toMatch(/^299 - "Ignored, not known here: /);
    expect(answer.headers.get('warning')).toContain(odd);
  });

  it.each(titled(ofPlatforms))('is refused by %s where the platform wants that', async (_id, operation) => {
    const { text, odd } = bodyOf(operation);
    const answer = await sendTo(operation, { body: text, type }, strict);
    expect(errorsOf(answer).map(({ field }) => field)).toContain(odd);
    expect(answer.headers.get('warning')).toBeNull();
  });

  it.each(titled(withBody))('is nothing that %s is asked with', async (_id, operation) => {
    const body = JSON.stringify(validValue(operation.body, 'all'));
    const answer = await sendTo(operation, { body, type });
    expect(answer.headers.get('warning')).toBeNull();
  });
});

describe('a name that is cut within a character', () => {
  const odd = `${'x'.repeat(99)}𠮷`;
  const named = [`${'x'.repeat(99)}\ufffd`];

  it('is told as text: of a parameter', async () => {
    const errors = errorsOf(await client.get('/customers', { [odd]: '1' }));
    expect(errors.map(({ field }) => field)).toEqual(named);
  });

  it('is told as text: of a member of a body', async () => {
    const errors = errorsOf(await strict.client.post('/customers', { customerType: 'INDIVIDUAL', [odd]: 1 }));
    expect(errors.map(({ field }) => field)).toEqual(named);
  });
});

describe('a misspelt name', () => {
  const ada = { customerType: 'INDIVIDUAL', fullname: 'Ada Lovelace', region: 'US' };

  it('makes a nameless customer with a warning', async () => {
    const answer = await client.post('/customers', ada);
    expect(expectStatus(answer, 201).fullName).toBeUndefined();
    expect(answer.headers.get('warning')).toBe(
      '299 - "Ignored, not known here: fullname (did you mean fullName?)."',
    );
  });

  it('makes none where the platform wants that refused', async () => {
    const count = async () => expectStatus(await strict.client.get('/customers'), 200).totalCount;
    const before = await count();
    const [error] = errorsOf(await strict.client.post('/customers', ada));
    expect(error).toEqual({ field: 'fullname', message: 'is not known here; did you mean fullName?' });
    expect(await count()).toBe(before);
  });

  it('is refused beside what else is wrong, at its depth', async () => {
    const address = { line1: 'a', postalcode: 'b', country: 'GB' };
    const errors = errorsOf(await strict.client.post('/customers', { ...ada, address, region: 7 }));
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      'address.postalCode',
      'address.postalcode',
      'fullname',
      'region',
    ]);
  });

  it('is told of a form', async () => {
    const { id } = expectStatus(await client.post('/customers', ada), 201);
    const form = formOf(fieldsOf(id, { documentnumber: '1' }));
    const answer = await client.form('POST', '/documents', form);
    expectStatus(answer, 201);
    expect(answer.headers.get('warning')).toContain('documentnumber (did you mean documentNumber?)');
  });

  it('refuses a form where the platform wants that', async () => {
    const { id } = expectStatus(await strict.client.post('/customers', { customerType: 'INDIVIDUAL' }), 201);
    const form = formOf(fieldsOf(id, { documentnumber: '1' }));
    const errors = errorsOf(await strict.client.form('POST', '/documents', form));
    expect(errors.map(({ field }) => field)).toEqual(['documentnumber']);
    expect(expectStatus(await strict.client.get('/documents'), 200).totalCount).toBe(0);
  });
});

describe('what customers of the other type have', () => {
  const business = { customerType: 'BUSINESS', region: 'US', businessInfo: { legalName: 'Ada Ltd' } };
  const person = { fullName: 'Ada', birthDate: '1815-12-10' };
  it.each([
    ['an INDIVIDUAL', { customerType: 'INDIVIDUAL' }, { businessInfo: { legalName: 'Ada Ltd' } }],
    ['a BUSINESS', business, person],
  ])(
    'is told of, and refused where the platform wants that, in changes of %s',
    async (_who, given, changes) => {
      const fields = Object.keys(changes);
      const { id } = expectStatus(await client.post('/customers', given), 201);
      const told = await client.patch(`/customers/${id}`, { ...changes, email: 'a@b.example', odd: 1 });
      expect(expectStatus(told, 200)).toMatchObject({ email: 'a@b.example' });
      expect(told.headers.get('warning')?.split(', 299 - ')).toEqual([
        '299 - "Ignored, not known here: odd."',
        `"Ignored, not known here: ${fields.join(', ')}."`,
      ]);
      const strictly = expectStatus(await strict.client.post('/customers', given), 201);
      const refused = await strict.client.patch(`/customers/${strictly.id}`, { ...changes, region: 'US' });
      expect(errorsOf(refused).map(({ field }) => field)).toEqual(fields);
    },
  );
});

describe('what the interface names and an operation does not use', () => {
  it('may be sent where the platform wants the unknown refused: read-only fields of currencies', async () => {
    const { supportedCurrencies } = expectStatus(await strict.client.get('/config'), 200);
    const answer = await strict.client.patch('/config', { supportedCurrencies });
    expect(expectStatus(answer, 200).supportedCurrencies).toEqual(supportedCurrencies);
  });

  it.each(['EMAIL_OTP', 'OAUTH'])('may be sent there: a nickname for %s', async (type) => {
    const { accountId } = await createWallet(strict.client, { email: 'ada@example.com' });
    const proof =
      type === 'OAUTH'
        ? await byToken(strict.client, 'ada', { email: 'ada@example.com' })
        : { type: 'EMAIL_OTP' };
    const answer = await addCredential(strict.client, accountId, { ...proof, nickname: 'mine' })();
    expect(expectStatus(answer, 201).nickname).toBe('ada@example.com');
  });
});

describe('a body where none is read', () => {
  it.each(titled(withoutBody))('is told of by %s', async (_id, operation) => {
    const answer = await sendTo(operation, { body: '{"a":1}', type });
    expect(answer.headers.get('warning')).toBe('299 - "Ignored: this operation takes no body."');
    const empty = await sendTo(operation, { body: '{}', type });
    expect(empty.headers.get('warning')).toBeNull();
  });

  // Who calls an operation without credentials has no platform to ask.
  const asked = withoutBody.filter(({ schemes }) => schemes.length > 0);
  it.each(titled(asked))('is refused by %s where the platform wants that', async (_id, operation) => {
    const [error] = errorsOf(await sendTo(operation, { body: '{"a":1}', type }, strict));
    expect(error).toEqual({ field: 'body', message: 'is not taken by this operation' });
    const { status, body } = await sendTo(operation, { body: '{}', type }, strict);
    expect([status, body?.code]).not.toEqual([400, 'INVALID_INPUT']);
  });
});

describe('a field of a quote that another variant has', () => {
  const address = '$success.usd@sandbox.daybook.test';
  const funding = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
  const variants = [
    ['source.currency', { source: { currency: 'EUR' } }],
    ['source.cryptoNetwork', { source: { cryptoNetwork: 'SOLANA' } }],
    ['source.accountId', { source: funding }],
    ['source.cryptoNetwork', { source: { ...funding, accountId: undefined, cryptoNetwork: 'SOLANA' } }],
    ['destination.currency', { destination: { currency: 'MXN' } }],
    ['destination.umaAddress', { destination: { umaAddress: address } }],
  ] as const;

  async function quoted(
    one: typeof service,
    { source, destination }: { readonly source?: object; readonly destination?: object },
  ): Promise<Answer> {
    const { account, payee } = await quoteParties(one.client);
    const body = quoteBody(account.id, payee.id);
    return one.client.post('/quotes', {
      ...body,
      source: { ...body.source, ...source },
      destination: { ...body.destination, ...destination },
    });
  }

  it.each(variants)('is ignored and named: %s', async (field, overrides) => {
    const answer = await quoted(service, overrides);
    expectStatus(answer, 201);
    expect(answer.headers.get('warning')).toBe(`299 - "Ignored, not known here: ${field}."`);
  });

  it.each(variants)('is refused where the platform says so: %s', async (field, overrides) => {
    expect(errorsOf(await quoted(strict, overrides))).toMatchObject([{ field }]);
  });

  it('is the rail to an internal account', async () => {
    const railTo = async (one: typeof service) => {
      const { customer } = await quoteParties(one.client);
      const { id: accountId } = await accountOf(one.client, customer.id, 'EUR');
      return quoted(one, { destination: { accountId, paymentRail: 'PIX' } });
    };
    const field = 'destination.paymentRail';
    const answer = await railTo(service);
    expect(expectStatus(answer, 201).destination).not.toHaveProperty('paymentRail');
    expect(answer.headers.get('warning')).toBe(`299 - "Ignored, not known here: ${field}."`);
    expect(errorsOf(await railTo(strict))).toMatchObject([{ field }]);
  });

  const read = [
    ['a rail', { destination: { paymentRail: 'SEPA' } }],
    [
      'a network',
      { source: { ...funding, currency: 'BTC', cryptoNetwork: 'LIGHTNING', accountId: undefined } },
    ],
  ] as const;

  it.each(read)('is none that its own variant has: %s', async (_what, overrides) => {
    const answer = await quoted(strict, overrides);
    expectStatus(answer, 201);
    expect(answer.headers.get('warning')).toBeNull();
  });
});
