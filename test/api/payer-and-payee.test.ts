import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  quoteBody,
  registerPayee,
} from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  eurInfo,
  executeQuote,
  quote,
  receive,
  sandboxAddress,
  toAddress,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { answering, type Receiver, startReceiver } from '../support/servers/receiver.ts';

/** The payer's platform, and the payee's, which is asked. */
const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const beside = besideOfTests(service);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => receiver.answer(200));
afterAll(() => receiver.close());

const asked = (name: string, mandatory = true) => ({ name, mandatory });
const identifiers = [asked('IDENTIFIER', false), asked('ID_NUMBER', false)];

/** What a platform wants to know of the other side of payments in euros, and where it is asked. */
const configure = async (client: Client, requiredCounterpartyFields: object[], more: object = {}) => {
  const currency = (currencyCode: string) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000_000,
    requiredCounterpartyFields,
    enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  });
  const supportedCurrencies = ['USD', 'EUR'].map(currency);
  expectStatus(await client.patch('/config', { supportedCurrencies, ...more }), 200);
};

const secret = 'AB-123456';
const grace = {
  currencies: ['EUR'],
  fullName: 'Grace Hopper',
  email: 'grace@example.com',
  idType: 'NON_US_TAX_ID',
  identifier: secret,
};

async function quoted(overrides: object = {}) {
  const payer = await customerWith(service.client, 100_000, { fullName: 'Ada Lovelace', identifier: secret });
  const payee = await createCustomer(beside.client, grace);
  const body = await toAddress(service.client, payer, payee.umaAddress, overrides);
  return { payer, payee, quoted: await quote(service.client, body) };
}

const incomingOf = async (payee: Json): Promise<Json> => {
  const query = { customerId: payee.id, type: 'INCOMING' };
  const list = await eventually(
    async () => expectStatus(await beside.client.get('/transactions', query), 200),
    ({ totalCount }) => totalCount > 0,
  );
  return list.data[0];
};
const webhookOf = (incoming: Json) =>
  eventually(
    async () => receiver.received.find(({ body }) => body.data.id === incoming.id)?.body.data,
    (data) => data !== undefined,
  );
const saying = (receiverCustomerInfo: object) =>
  answering(200, { 'content-type': 'application/json' }, JSON.stringify({ receiverCustomerInfo }));

describe('a payment between two platforms', () => {
  beforeAll(async () => {
    await configure(service.client, [asked('FULL_NAME'), asked('TAX_ID'), ...identifiers]);
    const more = { webhookEndpoint: receiver.url };
    await configure(beside.client, [asked('FULL_NAME'), asked('NATIONALITY', false), ...identifiers], more);
  });

  it('tells the payer nothing of the payee before the platform of the payee has approved it', async () => {
    const { quoted: made } = await quoted();
    expect(made).not.toHaveProperty('counterpartyInformation');
    expect(JSON.stringify(made)).not.toContain('Grace');
    const shown = expectStatus(await service.client.get(`/quotes/${made.id}`), 200);
    expect(shown).not.toHaveProperty('counterpartyInformation');
  });

  it('tells either side what it has asked, and nobody the number of a document', async () => {
    receiver.answer(saying({ TAX_ID: '98-7' }));
    const { payee, quoted: made } = await quoted({ senderCustomerInfo: { NATIONALITY: 'GB' } });
    await executeQuote(service.client, made);
    const incoming = await incomingOf(payee);
    const payerTold = { FULL_NAME: 'Ada Lovelace', NATIONALITY: 'GB' };
    expect(await webhookOf(incoming)).toMatchObject({
      counterpartyInformation: payerTold,
      requestedReceiverCustomerInfoFields: [asked('TAX_ID'), ...identifiers],
    });
    const sent = await untilEnded(service.client, made.transactionId, 'COMPLETED');
    expect(sent.counterpartyInformation).toEqual({ FULL_NAME: 'Grace Hopper', TAX_ID: '98-7' });
    const received = await untilEnded(beside.client, incoming.id, 'COMPLETED');
    expect(received.counterpartyInformation).toEqual(payerTold);
    expect(JSON.stringify([sent, received, receiver.received.map(({ body }) => body)])).not.toContain(secret);
  });

  it('fails where the answer leaves out what is mandatory', async () => {
    receiver.answer(saying({ EMAIL: 'grace@example.com' }));
    const { payer, quoted: made } = await quoted();
    await executeQuote(service.client, made);
    const sent = await untilEnded(service.client, made.transactionId, 'FAILED');
    expect(sent.failureReason).toBe('MISSING_MANDATORY_PAYEE_DATA');
    expect(sent).not.toHaveProperty('counterpartyInformation');
    expect(await balanceOf(service.client, payer.customer.id)).toBe(100_000);
  });

  it('fails where the answer is longer than it may be', async () => {
    receiver.answer(saying({ TAX_ID: '98-7', padding: 'x'.repeat(70_000) }));
    const { quoted: made } = await quoted();
    await executeQuote(service.client, made);
    const sent = await untilEnded(service.client, made.transactionId, 'FAILED');
    expect(sent.failureReason).toBe('PAYMENT_APPROVAL_WEBHOOK_ERROR');
  });

  it('takes an answer of many kilobytes whole', async () => {
    const padding = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`F${n}`, 'x'.repeat(1_000)]));
    receiver.answer(saying({ TAX_ID: '98-7', ...padding }));
    const { quoted: made } = await quoted();
    await executeQuote(service.client, made);
    const sent = await untilEnded(service.client, made.transactionId, 'COMPLETED');
    expect(sent.counterpartyInformation).toMatchObject({ TAX_ID: '98-7', F9: padding.F9 });
  });

  it('is refused an approval that leaves it out, and may be approved after that', async () => {
    receiver.answer(202);
    const { payee, quoted: made } = await quoted();
    await executeQuote(service.client, made);
    const { id } = await incomingOf(payee);
    const approve = (receiverCustomerInfo: object) =>
      beside.client.post(`/transactions/${id}/approve`, { receiverCustomerInfo });
    const problem = expectProblem(await approve({}), 400, 'MISSING_MANDATORY_USER_INFO');
    expect(problem.details.requiredFields).toEqual(['TAX_ID']);
    expectStatus(await approve({ TAX_ID: '98-7' }), 200);
    await untilEnded(service.client, made.transactionId, 'COMPLETED');
  });

  it('does not count the number of a document as known', async () => {
    await configure(beside.client, [asked('IDENTIFIER')]);
    const problem = expectProblem(
      await service.client.post(
        '/quotes',
        await toAddress(
          service.client,
          await customerWith(service.client, 0, { identifier: secret }),
          (await createCustomer(beside.client, grace)).umaAddress,
        ),
      ),
      400,
      'MISSING_MANDATORY_USER_INFO',
    );
    expect(problem.details.requiredFields).toEqual(['IDENTIFIER']);
  });
});

describe('a payment within a platform', () => {
  beforeAll(() => configure(service.client, [asked('FULL_NAME'), asked('EMAIL'), asked('USER_TYPE')]));
  const told = { FULL_NAME: 'Grace Hopper', EMAIL: 'grace@example.com', USER_TYPE: 'INDIVIDUAL' };

  it('shows the same of a customer whose account is paid and whose address is', async () => {
    const payer = await customerWith(service.client);
    const payee = await createCustomer(service.client, grace);
    const { id } = await accountOf(service.client, payee.id, 'EUR');
    const atOnce = { immediatelyExecute: true };
    const paid = await quote(service.client, { ...quoteBody(payer.account.id, id), ...atOnce });
    expect(paid.counterpartyInformation).toEqual(told);
    const sent = await untilEnded(service.client, paid.transactionId, 'COMPLETED');
    expect(sent.counterpartyInformation).toEqual(told);
    const senderCustomerInfo = { FULL_NAME: 'Ada Lovelace', EMAIL: 'ada@example.com' };
    const body = await toAddress(service.client, payer, payee.umaAddress, { senderCustomerInfo });
    expect((await quote(service.client, body)).counterpartyInformation).toEqual(told);
  });
});

describe('a quote whose payee is another by the time of its execution', () => {
  const moved = async (change: (payee: Json) => Promise<unknown>) => {
    await configure(service.client, []);
    const payer = await customerWith(service.client);
    const payee = await createCustomer(service.client, { currencies: ['EUR', 'USD'] });
    const made = await quote(service.client, await toAddress(service.client, payer, payee.umaAddress));
    await change(payee);
    const path = `/quotes/${made.id}/execute`;
    const problem = expectProblem(await service.client.post(path), 400, 'INVALID_RECEIVER');
    expect(await balanceOf(service.client, payer.customer.id)).toBe(100_000);
    expect((await service.client.get(`/quotes/${made.id}`)).body.status).toBe('PENDING');
    return problem.details.reason;
  };
  const path = ({ id }: Json) => `/customers/${id}`;

  it('is refused where somebody else has the address', async () => {
    const reason = await moved(async (payee) => {
      expectStatus(await service.client.delete(path(payee)), 200);
      await createCustomer(service.client, { umaAddress: payee.umaAddress, currencies: ['EUR'] });
    });
    expect(reason).toBe('ADDRESS_MOVED');
  });

  it('is refused where the payee has given up the currency', async () => {
    const reason = await moved(async (payee) =>
      expectStatus(await service.client.patch(path(payee), { currencies: ['USD'] }), 200),
    );
    expect(reason).toBe('CURRENCY_NOT_TAKEN');
  });
});

describe('a payee whose platform takes no payments', () => {
  it('cannot be quoted, and is looked up without the currency', async () => {
    await configure(beside.client, []);
    const payee = await createCustomer(beside.client, { currencies: ['EUR'] });
    const payer = await customerWith(service.client);
    const body = await toAddress(service.client, payer, payee.umaAddress);
    const settings = expectStatus(await beside.client.get('/config'), 200).supportedCurrencies;
    const supportedCurrencies = settings.map((one: Json) => ({
      ...one,
      enabledTransactionTypes: ['OUTGOING'],
    }));
    expectStatus(await beside.client.patch('/config', { supportedCurrencies }), 200);
    const quoted = await service.client.post('/quotes', body);
    const lookup = `/receiver/uma/${payee.umaAddress}`;
    const answer = await service.client.get(lookup, { customerId: payer.customer.id });
    for (const refused of [quoted, answer])
      expect(expectProblem(refused, 400, 'INVALID_RECEIVER').details).toEqual({
        reason: 'CURRENCY_NOT_TAKEN',
      });
  });
});

describe('a simulated payment to a customer with a default deposit account', () => {
  const depositing = async (suffix = '456') => {
    const customer = await createCustomer(service.client, { currencies: ['EUR', 'USD'] });
    const account = await registerPayee(service.client, {
      customerId: customer.id,
      accountInfo: eurInfo(suffix),
      defaultUmaDepositAccount: true,
    });
    return { customer, account };
  };
  const euros = { receivingCurrencyCode: 'EUR', receivingCurrencyAmount: 2_500 };

  it('says who pays, as far as the platform asks', async () => {
    await configure(service.client, [asked('FULL_NAME')]);
    const { customer } = await depositing();
    const sender = { senderUmaAddress: sandboxAddress('success.eur') };
    const paid = expectStatus(
      await receive(service.client, { customerId: customer.id, ...euros, ...sender }),
      200,
    );
    expect(paid.counterpartyInformation).toEqual({ FULL_NAME: 'Sam Sandbox' });
  });

  it('fails where the sender fails a compliance check', async () => {
    const { customer } = await depositing();
    const sender = { senderUmaAddress: sandboxAddress('fail.compliance.usd') };
    const { id } = expectStatus(
      await receive(service.client, { customerId: customer.id, ...euros, ...sender }),
      200,
    );
    expect((await untilEnded(service.client, id, 'FAILED')).failureReason).toBe('PAY_REQUEST_FAILED');
  });

  it('fails after all when the bank sends it back', async () => {
    const { customer } = await depositing('005');
    const sender = { senderUmaAddress: sandboxAddress('success.eur') };
    const { id } = expectStatus(
      await receive(service.client, { customerId: customer.id, ...euros, ...sender }),
      200,
    );
    expect((await untilEnded(service.client, id, 'FAILED')).failureReason).toBe('OFFRAMP_FAILED');
  });

  it('goes back to a sender here when the bank sends it back', async () => {
    await configure(service.client, []);
    const { customer } = await depositing('005');
    const payer = await customerWith(service.client);
    const made = await quote(service.client, await toAddress(service.client, payer, customer.umaAddress));
    await executeQuote(service.client, made);
    const ended = await untilEnded(service.client, made.transactionId, 'FAILED');
    expect(ended).toMatchObject({ failureReason: 'OFFRAMP_FAILED' });
    const { id } = await accountOf(service.client, payer.customer.id);
    const balance = () =>
      service.client.get('/customers/internal-accounts', { customerId: payer.customer.id });
    const refunded = await eventually(balance, ({ body }) =>
      body.data.some((one: Json) => one.id === id && one.balance.amount === 100_000),
    );
    expect(refunded.status).toBe(200);
  });
});
