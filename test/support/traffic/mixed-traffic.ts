import { expect } from 'vitest';
import type { Ending, PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import type { Client, Json } from '../http/client.ts';
import { query } from '../postgres/database.ts';
import { readLog, rowsOf } from '../postgres/read-models.ts';
import { startTestService, type TestService } from '../processes/service.ts';
import { approvalRequired, approve, employed, newQuoteAs, payOut, reject } from '../resources/agents.ts';
import { uploadDocument } from '../resources/documents.ts';
import {
  createCustomer,
  eventually,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../resources/flows.ts';
import { lookUp, registerUsd, transferIn, transferOut } from '../resources/payments.ts';
import { verifiedBusiness } from '../resources/verification.ts';
import {
  addCredential,
  type Call,
  oidcToken,
  signed,
  signInByEmail,
  walletWithSession,
} from '../wallets/wallets.ts';

/** How a payment ends on the fickle rail, by the last digit of what arrives; it arrives where no digit is named. */
const endings: Readonly<Record<string, Ending>> = {
  1: { status: 'failed', reason: 'QUOTE_EXECUTION_FAILED', refundFails: false },
  2: { status: 'rejected', reason: 'OFFRAMP_FAILED' },
  3: { status: 'cancelled' },
  4: { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: true },
};
const isReturned = (minor: bigint) => minor % 10n === 5n;

/** A rail that answers at once, and knows nobody outside. */
export const fickleRail: PaymentRail = {
  submit: async ({ paymentId }) => ({
    status: 'accepted',
    reference: `T-${paymentId.slice(-6)}`,
    underway: true,
    checkAt: new Date(),
  }),
  withdraw: async () => ({ status: 'unknown' }),
  statusOf: async ({ amount: { minor }, recorded }) => {
    if (recorded === 'begun') return { status: 'unknown' };
    if (recorded === 'settled')
      return isReturned(minor) ? { status: 'returned', reason: 'OFFRAMP_FAILED' } : { status: 'settled' };
    if (isReturned(minor)) return { status: 'settled', checkAt: new Date() };
    return endings[`${minor % 10n}`] ?? { status: 'settled' };
  },
  receiverAt: () => undefined,
  checkName: async () => undefined,
};

type Parties = Awaited<ReturnType<typeof payoutParties>>;

async function quote(client: Client, { account, payee }: Parties, overrides: object): Promise<Json> {
  return expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id, overrides)), 201);
}
const receiving = (minor: number) => ({ lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: minor });

async function pay(client: Client, parties: Parties, received: number, status: string): Promise<void> {
  const { id, transactionId } = await quote(client, parties, receiving(received));
  expectStatus(await client.post(`/quotes/${id}/execute`), 200);
  await untilTransaction(client, transactionId, status);
}

/** Out of the account and into it, each once as it should be and once not. */
async function transfer(client: Client, { customer, account }: Parties): Promise<void> {
  const bank = await registerUsd(client, customer.id);
  const answers = await Promise.all([
    transferOut(client, account.id, bank.id, 1_000),
    transferOut(client, account.id, bank.id, 1_001),
    transferIn(client, bank.id, account.id, 2_000),
    transferIn(client, bank.id, account.id, 2_002),
  ]);
  const statuses = ['COMPLETED', 'FAILED', 'COMPLETED', 'REJECTED'];
  const ids = answers.map((answer) => expectStatus(answer, 201).id);
  await Promise.all(ids.map((id, n) => untilTransaction(client, id, statuses[n] ?? '')));
}

async function payInRealTime(client: Client, { customer, payee }: Parties): Promise<void> {
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
  const body = { ...quoteBody('', payee.id, receiving(5_000)), source };
  const { id: quoteId, transactionId } = expectStatus(await client.post('/quotes', body), 201);
  expectStatus(await client.post('/sandbox/send', { quoteId, currencyCode: 'USD' }), 200);
  await untilTransaction(client, transactionId, 'COMPLETED');
}

async function payCustomer(client: Client, { customer, account }: Parties, receiver: Json): Promise<void> {
  const { umaAddress } = receiver;
  const { lookupId } = await lookUp(client, umaAddress, customer.id);
  const destination = { destinationType: 'UMA_ADDRESS', umaAddress };
  const body = { ...quoteBody(account.id, ''), destination, lookupId, immediatelyExecute: true };
  const { transactionId } = expectStatus(await client.post('/quotes', body), 201);
  await untilTransaction(client, transactionId, 'COMPLETED');
}

/** Businesses that are verified, and customers that are changed and deleted. */
async function changeCustomers(client: Client): Promise<void> {
  const { customerId, beneficialOwnerId } = await verifiedBusiness(client);
  await uploadDocument(client, customerId);
  const changes = { email: 'office@example.com', currencies: ['USD', 'MXN'], businessInfo: { taxId: '98' } };
  expectStatus(await client.patch(`/customers/${customerId}`, changes), 200);
  const name = { personalInfo: { lastName: 'King001' }, ownershipPercentage: 12.5 };
  expectStatus(await client.patch(`/beneficial-owners/${beneficialOwnerId}`, name), 200);
  const { id } = await createCustomer(client, { kycStatus: 'UNVERIFIED' });
  expectStatus(await client.patch(`/customers/${id}`, { umaAddress: '$renamed@daybook.test' }), 200);
  expectStatus(await client.delete(`/customers/${id}`), 200);
}

/** From one account here to another. */
async function payInto(client: Client, { account }: Parties, into: Json): Promise<void> {
  const body = quoteBody(account.id, into.id, { immediatelyExecute: true });
  const { transactionId } = expectStatus(await client.post('/quotes', body), 201);
  await untilTransaction(client, transactionId, 'COMPLETED');
}

/** One pays by itself, one is approved and rejected, and one is deleted with what it asks for. */
async function payAsAgents(client: Client, { customer, account, payee }: Parties): Promise<void> {
  const bank = await registerUsd(client, customer.id, '333');
  const [free, cautious, deleted] = await Promise.all(
    [{}, approvalRequired, approvalRequired].map(async (policy) => ({
      customer,
      account,
      payee,
      bank,
      ...(await employed(client, customer.id, policy)),
    })),
  );
  if (!free || !cautious || !deleted) throw new Error('an agent is missing');
  const paid = expectStatus(await payOut(free, 3_000), 201);
  await newQuoteAs(free);
  const approved = expectStatus(await approve(client, (await payOut(cautious, 3_000)).body), 200);
  expectStatus(await reject(client, (await payOut(cautious, 3_000)).body), 200);
  expectStatus(await payOut(cautious, 3_000), 201);
  expectStatus(await payOut(deleted, 3_000), 201);
  expectStatus(await client.patch(`/agents/${free.agent.id}`, { name: 'Clerk', isPaused: true }), 200);
  const permissions = ['CREATE_QUOTES'];
  expectStatus(await client.patch(`/agents/${cautious.agent.id}/policy`, { permissions }), 200);
  expectStatus(await client.delete(`/agents/${deleted.agent.id}`), 204);
  for (const { transaction } of [paid, approved]) await untilTransaction(client, transaction.id, 'COMPLETED');
}

/** A wallet whose credentials and sessions come and go, which is private and whose customer has another address. */
async function useWallet(client: Client): Promise<void> {
  const { accountId, credential, customer, session } = await walletWithSession(client);
  const token = { type: 'OAUTH', oidcToken: await oidcToken(client, customer.id) };
  const oauth = expectStatus(await signed(addCredential(client, accountId, token), session), 201);
  const other = await signInByEmail(client, credential.id);
  const calls: readonly Call[] = [
    (headers) => client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers),
    (headers) => client.delete(`/auth/credentials/${oauth.id}`, headers),
    (headers) => client.delete(`/auth/sessions/${other.id}`, headers),
    (headers) => client.patch(`/customers/${customer.id}`, { email: 'new@example.com' }, headers),
  ];
  for (const call of calls) expect((await signed(call, session)).status).toBeOneOf([200, 204]);
  expectStatus(await addCredential(client, accountId, token)(), 202);
}

/** The platform sets a list of its own: all that it has, in another order, and gets accounts in those without one. */
async function setCurrencies(client: Client): Promise<void> {
  const { supportedCurrencies } = expectStatus(await client.get('/config'), 200);
  const body = { supportedCurrencies: supportedCurrencies.toReversed() };
  expectStatus(await client.patch('/config', body), 200);
}

/** What the platform is told has an endpoint, and none any more. */
async function switchEndpoint(client: Client): Promise<void> {
  for (const webhookEndpoint of ['http://127.0.0.1:9/hooks', null])
    expectStatus(await client.patch('/config', { webhookEndpoint }), 200);
}

/**
 * Customers, deposits, payments of every kind with every kind of end, an account that is deleted, a platform that is
 * configured, agents, a wallet, an open quote. Needs the fickle rail.
 */
export async function driveTraffic({ client, databaseUrl }: TestService): Promise<void> {
  const [one, two] = await Promise.all([payoutParties(client), payoutParties(client, 500_000)]);
  await createCustomer(client, { region: 'DE', currencies: ['EUR', 'USD'] });
  await client.post('/customers', { customerType: 'INDIVIDUAL' });
  await changeCustomers(client);
  await useWallet(client);
  await Promise.all([fund(client, one.account.id, 7), fund(client, one.account.id, 11)]);
  await Promise.all([
    pay(client, one, 2_000, 'COMPLETED'),
    pay(client, one, 2_001, 'FAILED'),
    pay(client, one, 2_002, 'REJECTED'),
    pay(client, one, 2_003, 'REFUNDED'),
    pay(client, one, 2_004, 'FAILED'),
    pay(client, one, 2_005, 'FAILED'),
    transfer(client, two),
    payInRealTime(client, two),
    payCustomer(client, one, two.customer),
    payInto(client, two, one.account),
    payAsAgents(client, one),
    setCurrencies(client),
  ]);
  await switchEndpoint(client);
  expectStatus(await client.delete(`/customers/external-accounts/${two.payee.id}`), 204);
  await deleteToken(client);
  await moveClock(client);
  await quote(client, one, { description: 'open when the log is read' });
  await untilQuiet(databaseUrl);
}

async function deleteToken(client: Client): Promise<void> {
  const token = expectStatus(await client.post('/tokens', { name: 'for a day', permissions: ['VIEW'] }), 201);
  expectStatus(await client.delete(`/tokens/${token.id}`), 204);
}

/** It goes on from where it stood. */
async function moveClock(client: Client): Promise<void> {
  for (const step of ['freeze', 'resume']) expectStatus(await client.post(`/sandbox/clock/${step}`, {}), 200);
}

/** Waits until every payment but open quotes has ended and the read models have passed the end of the log. */
async function untilQuiet(url: string): Promise<void> {
  const behind = `select
    (select count(*)::int from daybook.transactions where status = 'PROCESSING'
       or (status = 'PENDING' and quote_id is null) or refund ->> 'status' = 'PENDING') as open,
    (select max(position) from daybook_log.events)
      - (select min(position) from daybook.checkpoints where name in ('projections', 'policies')) as lag`;
  await eventually(
    async () => (await query<{ open: number; lag: string }>(url, behind))[0],
    (state) => state?.open === 0 && state.lag === '0',
  );
}

/** What the log of a service has after such traffic, and the rows that its projector has made of it. */
export async function recordTraffic() {
  const service = await startTestService({ rail: fickleRail });
  await driveTraffic(service);
  await service.stop();
  return { events: await readLog(service.databaseUrl), live: await rowsOf(service.databaseUrl) };
}
