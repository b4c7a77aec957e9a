import { type Answer, agentClientOf, type Client, type Json } from '../http/client.ts';
import { expectProblem } from '../http/problems.ts';
import { expectStatus, quoteBody } from './flows.ts';
import { customerWith, registerEur, registerUsd } from './payments.ts';

export const everything = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];

export const approvalRequired = { defaultExecutionMode: 'APPROVAL_REQUIRED' };

/** A policy that allows everything up to 1000.00 USD at a time, by itself. */
export const policyOf = ({ spendingLimits, ...overrides }: Json = {}) => ({
  permissions: everything,
  spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, ...spendingLimits },
  ...overrides,
});

export const createAgent = async (client: Client, customerId: string, policy: Json = {}): Promise<Json> =>
  expectStatus(
    await client.post('/agents', { name: 'Bookkeeper', customerId, policy: policyOf(policy) }),
    201,
  );

export const redeem = (client: Client, code: string, headers: Record<string, string> = {}): Promise<Answer> =>
  client.raw(`/agents/device-codes/${code}/redeem`, { method: 'POST', headers });

export const accessTokenFrom = async (client: Client, { deviceCode }: Json): Promise<string> =>
  expectStatus(await redeem(client, deviceCode.code), 200).accessToken;

/** A customer with money, a EUR account and a USD account to pay, and an agent that acts for it. */
export type Staffed = {
  readonly customer: Json;
  readonly account: Json;
  readonly payee: Json;
  readonly bank: Json;
  readonly agent: Json;
  readonly accessToken: string;
  /** The agent's own requests. */
  readonly me: Client;
};

export async function staffed(client: Client, policy: Json = {}, amount = 1_000_000): Promise<Staffed> {
  const { customer, account } = await customerWith(client, amount);
  const payee = await registerEur(client, customer.id);
  const bank = await registerUsd(client, customer.id);
  return { customer, account, payee, bank, ...(await employed(client, customer.id, policy)) };
}

/** An agent for a customer, connected. */
export async function employed(client: Client, customerId: string, policy: Json = {}) {
  const created = await createAgent(client, customerId, policy);
  const accessToken = await accessTokenFrom(client, created);
  return { agent: created.agent, accessToken, me: agentClientOf(client, accessToken) };
}

type Headers_ = Readonly<Record<string, string>>;

export const payOut = (
  { me, account, bank }: Pick<Staffed, 'me' | 'account' | 'bank'>,
  amount: number | bigint,
  headers: Headers_ = {},
): Promise<Answer> =>
  me.post(
    '/agents/me/transfer-out',
    { source: { accountId: account.id }, destination: { accountId: bank.id }, amount },
    headers,
  );

export const pullIn = ({ me, account, bank }: Staffed, amount: number): Promise<Answer> =>
  me.post('/agents/me/transfer-in', {
    source: { accountId: bank.id },
    destination: { accountId: account.id },
    amount,
  });

export const quoteAs = (
  { me, account, payee }: Staffed,
  overrides: object = {},
  headers: Headers_ = {},
): Promise<Answer> => me.post('/agents/me/quotes', quoteBody(account.id, payee.id, overrides), headers);

export const newQuoteAs = async (one: Staffed, overrides: object = {}): Promise<Json> =>
  expectStatus(await quoteAs(one, overrides), 201);

export const executeAs = (
  { me }: Pick<Staffed, 'me'>,
  { id }: Json,
  headers: Headers_ = {},
): Promise<Answer> => me.post(`/agents/me/quotes/${id}/execute`, undefined, headers);

export const approve = (client: Client, { agentId, id }: Json): Promise<Answer> =>
  client.post(`/agents/${agentId}/actions/${id}/approve`);

export const reject = (client: Client, { agentId, id }: Json, body?: object): Promise<Answer> =>
  client.post(`/agents/${agentId}/actions/${id}/reject`, body);

export const usageOf = async ({ me }: Staffed): Promise<Json> =>
  expectStatus(await me.get('/agents/me'), 200).usage;

/** How many actions the agent has asked for. */
export const actionsOf = async ({ me }: Pick<Staffed, 'me'>): Promise<number> =>
  expectStatus(await me.get('/agents/me/actions'), 200).totalCount;

/** Why an agent's request was refused. */
export const reasonOf = (answer: Answer): string => expectProblem(answer, 403, 'FORBIDDEN').details.reason;

/** A customer with an agent that has these limits. */
export const limited = (client: Client, spendingLimits: Json, amount?: number): Promise<Staffed> =>
  staffed(client, { spendingLimits }, amount);
