import { randomInt } from 'node:crypto';
import { approvalRequired, createAgent, employed, executeAs } from './agents.ts';
import { accountInfoInput } from './builders/external-accounts.ts';
import { type Client, clientOf } from './client.ts';
import { accountOf, createCustomer, expectStatus, fund, quoteBody, registerPayee } from './flows.ts';
import { type DocumentedOperation, filled } from './interface.ts';
import { startTestService, type TestService } from './service.ts';

/** Another process on the same database, with a platform of its own; it takes requests and does nothing else. */
export const startBeside = ({ databaseUrl }: TestService): Promise<TestService> =>
  startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });

/** A client of the first service's platform that talks to the second process. */
export const clientThrough = (second: TestService, { credentials }: TestService): Client =>
  clientOf(second.url, credentials);

/** One of everything that a platform can have. */
export type Belongings = {
  readonly customerId: string;
  readonly accountId: string;
  readonly externalAccountId: string;
  readonly platformExternalAccountId: string;
  readonly quoteId: string;
  readonly transactionId: string;
  /** Of another customer of the platform. */
  readonly umaAddress: string;
  readonly invitationCode: string;
  readonly webhookEventId: string;
  /** An agent that is connected, with an action that waits for approval. */
  readonly agentId: string;
  readonly actionId: string;
  /** Of another agent, which nobody has redeemed. */
  readonly deviceCode: string;
};

export async function createBelongings(client: Client): Promise<Belongings> {
  const customer = await createCustomer(client);
  const account = await accountOf(client, customer.id);
  await fund(client, account.id, 50_000);
  const payee = await registerPayee(client, { customerId: customer.id });
  // A number of its own: a platform registers each account once.
  const iban = `DE8937040044${String(randomInt(10 ** 7)).padStart(7, '0')}789`;
  const accountInfo = accountInfoInput('EUR_ACCOUNT', { iban });
  const platformPayee = await client.post('/platform/external-accounts', { currency: 'EUR', accountInfo });
  const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  const { umaAddress } = await createCustomer(client);
  const invitation = await client.post('/invitations', { inviterUma: customer.umaAddress });
  const webhookEventId = await newWebhookEvent(client, account.id);
  return {
    customerId: customer.id,
    accountId: account.id,
    externalAccountId: payee.id,
    platformExternalAccountId: expectStatus(platformPayee, 201).id,
    quoteId: quote.id,
    transactionId: quote.transactionId,
    umaAddress,
    invitationCode: expectStatus(invitation, 201).code,
    webhookEventId,
    ...(await newAgents(client, customer.id, quoteBody(account.id, payee.id))),
  };
}

async function newAgents(client: Client, customerId: string, quote: object) {
  const { agent, me } = await employed(client, customerId, approvalRequired);
  const { id } = expectStatus(await me.post('/agents/me/quotes', quote), 201);
  const action = expectStatus(await executeAs({ me }, { id }), 200);
  const { deviceCode } = await createAgent(client, customerId);
  return { agentId: agent.id, actionId: action.id, deviceCode: deviceCode.code };
}

/** An event that was told to nobody: the endpoint is not there, and is taken away again. */
async function newWebhookEvent(client: Client, accountId: string): Promise<string> {
  expectStatus(await client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hooks' }), 200);
  await fund(client, accountId, 1);
  const { data } = expectStatus(await client.get('/webhooks/events', { limit: '1' }), 200);
  expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
  return data[0].id;
}

/** Which belonging a parameter names; a path of its own takes precedence over the name. */
const named: Readonly<Record<string, keyof Belongings>> = {
  '/platform/external-accounts/{externalAccountId}': 'platformExternalAccountId',
  '/receiver/external-account/{accountId}': 'externalAccountId',
  customerId: 'customerId',
  accountId: 'accountId',
  externalAccountId: 'externalAccountId',
  quoteId: 'quoteId',
  transactionId: 'transactionId',
  receiverUmaAddress: 'umaAddress',
  invitationCode: 'invitationCode',
  webhookEventId: 'webhookEventId',
  agentId: 'agentId',
  actionId: 'actionId',
  code: 'deviceCode',
};

/** Which of a platform's belongings a parameter of an operation names, if it names any. */
export const belongingOf = (
  { path }: Pick<DocumentedOperation, 'path'>,
  name: string,
): keyof Belongings | undefined => named[path] ?? named[name];

/** The path with ids that exist, so that nothing about it can be wrong. */
export const pathOf = (operation: DocumentedOperation, belongings: Belongings): string =>
  filled(operation.path, (name) => {
    const key = belongingOf(operation, name);
    if (!key) throw new Error(`say in the table above what {${name}} of ${operation.path} names`);
    return belongings[key];
  });

/** What a query must have, by operation: the document cannot say that one of two is needed. */
const needed: Readonly<Record<string, 'customerId'>> = {
  lookUpUmaAddress: 'customerId',
  lookUpExternalAccount: 'customerId',
};

/** The least query that the operation takes. */
export function queryOf(
  { operationId }: Pick<DocumentedOperation, 'operationId'>,
  belongings: Belongings,
): Readonly<Record<string, string>> {
  const name = needed[operationId];
  return name ? { [name]: belongings[name] } : {};
}

/** Path and query of a request that is right. */
export function targetOf(operation: DocumentedOperation, belongings: Belongings): string {
  const query = new URLSearchParams(queryOf(operation, belongings)).toString();
  return pathOf(operation, belongings) + (query && `?${query}`);
}
