import { randomInt } from 'node:crypto';
import { idOf } from '../../../src/kernel/ids.ts';
import { accountInfoInput } from '../builders/external-accounts.ts';
import { type Client, clientOf } from '../http/client.ts';
import { type DocumentedOperation, filled, isIdSchema, resolved } from '../interface/interface.ts';
import { startTestService, type TestOptions, type TestService, whileTesting } from '../processes/service.ts';
import { withCheckDigits } from '../values/iban.ts';
import { uuidNumber } from '../values/ids.ts';
import { walletWithSession } from '../wallets/wallets.ts';
import { approvalRequired, createAgent, employed, executeAs, reject } from './agents.ts';
import { uploadDocument } from './documents.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
} from './flows.ts';
import { lookUp } from './payments.ts';
import { issueToken } from './tokens.ts';
import { verifiedBusiness } from './verification.ts';

/** Another process on the same database, with a platform of its own; it takes requests and does nothing else. */
export const startBeside = ({ databaseUrl }: TestService, options: TestOptions = {}): Promise<TestService> =>
  startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' }, ...options });

/** The same for the tests of a file or of a `describe`. */
export const besideOfTests = (service: TestService, options?: TestOptions): TestService =>
  whileTesting(() => startBeside(service, options));

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
  readonly tokenId: string;
  readonly lookupId: string;
  readonly walletId: string;
  readonly credentialId: string;
  readonly sessionId: string;
  readonly businessId: string;
  readonly beneficialOwnerId: string;
  readonly verificationId: string;
  readonly documentId: string;
  /** An agent that is connected, with an action that waits for approval. */
  readonly agentId: string;
  readonly actionId: string;
  /** Of another agent, which nobody has redeemed. */
  readonly deviceCode: string;
  /** Of the sandbox; it hits nothing. */
  readonly faultId: string;
  /** With all of these; nobody's where several processes serve the installation, which has no snapshots then. */
  readonly snapshotId: string;
  /** In the log of requests. */
  readonly requestId: string;
};

type Known = Readonly<Partial<Belongings>>;

/** What is made together: one of them is not right without the others of its row. In an order in which each finds what it needs. */
const rows: readonly (readonly [
  names: readonly (keyof Belongings)[],
  make: (client: Client, made: Belongings) => Promise<Known>,
])[] = [
  [['customerId', 'accountId', 'externalAccountId', 'quoteId', 'transactionId'], newPayment],
  [['platformExternalAccountId'], newPlatformPayee],
  [['umaAddress'], async (client) => ({ umaAddress: (await createCustomer(client)).umaAddress })],
  [['invitationCode'], newInvitation],
  [['webhookEventId'], newWebhookEvent],
  [['walletId', 'credentialId', 'sessionId'], newWallet],
  [['businessId', 'beneficialOwnerId', 'verificationId', 'documentId'], newBusiness],
  [['tokenId'], async (client) => ({ tokenId: (await issueToken(client, ['VIEW'])).id })],
  [['lookupId'], newLookup],
  [['faultId'], newFault],
  [['requestId'], newRequest],
  [['agentId', 'actionId', 'deviceCode'], newAgents],
  [['snapshotId'], newSnapshot],
];

async function made(client: Client, known: Known, isMade: (names: readonly (keyof Belongings)[]) => boolean) {
  let all: Known = known;
  for (const [names, make] of rows)
    if (isMade(names)) all = { ...all, ...(await make(client, all as Belongings)) };
  return all as Belongings;
}

export const createBelongings = (client: Client): Promise<Belongings> => made(client, {}, () => true);

/**
 * The same belongings, but for those that the text names and what goes with them, which are made anew: whoever uses up
 * what the text names uses up nothing of others. A webhook event is not: that takes an endpoint for a moment, of which a
 * platform has one.
 */
export function renewedIn(client: Client, known: Belongings, text: string): Promise<Belongings> {
  const isNamed = (key: keyof Belongings) =>
    key !== 'webhookEventId' && [known[key], encodeURIComponent(known[key])].some((id) => text.includes(id));
  return made(client, known, (names) => names.some(isNamed));
}

async function newPayment(client: Client): Promise<Known> {
  const customer = await createCustomer(client);
  const account = await accountOf(client, customer.id);
  await fund(client, account.id, 50_000);
  const payee = await registerPayee(client, { customerId: customer.id });
  const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  return {
    customerId: customer.id,
    accountId: account.id,
    externalAccountId: payee.id,
    quoteId: quote.id,
    transactionId: quote.transactionId,
  };
}

async function newPlatformPayee(client: Client): Promise<Known> {
  // A number of its own: a platform registers each account once.
  const iban = withCheckDigits(`DE0037040044${String(randomInt(10 ** 7)).padStart(7, '0')}789`);
  const accountInfo = accountInfoInput('EUR_ACCOUNT', { iban });
  const payee = await client.post('/platform/external-accounts', { currency: 'EUR', accountInfo });
  return { platformExternalAccountId: expectStatus(payee, 201).id };
}

async function newInvitation(client: Client, { umaAddress }: Belongings): Promise<Known> {
  const invitation = await client.post('/invitations', { inviterUma: umaAddress });
  return { invitationCode: expectStatus(invitation, 201).code };
}

async function newWallet(client: Client): Promise<Known> {
  const { accountId, credential, session } = await walletWithSession(client);
  // Signing in has used the code up.
  expectStatus(await client.post(`/auth/credentials/${credential.id}/challenge`), 200);
  return { walletId: accountId, credentialId: credential.id, sessionId: session.id };
}

async function newBusiness(client: Client): Promise<Known> {
  const { customerId: businessId, beneficialOwnerId, verificationId } = await verifiedBusiness(client);
  const { id: documentId } = await uploadDocument(client, businessId);
  return { businessId, beneficialOwnerId, verificationId, documentId };
}

async function newLookup(client: Client, { umaAddress, customerId }: Belongings): Promise<Known> {
  return { lookupId: (await lookUp(client, umaAddress, customerId)).lookupId };
}

async function newFault(client: Client): Promise<Known> {
  const body = {
    match: { operationId: 'transferOut', currency: 'XTS' },
    effect: { kind: 'DROP', when: 'BEFORE' },
  };
  return { faultId: expectStatus(await client.post('/sandbox/faults', body), 201).id };
}

async function newSnapshot(client: Client): Promise<Known> {
  const { status, body } = await client.post('/sandbox/snapshots');
  return { snapshotId: status === 201 ? body.id : idOf('Snapshot', uuidNumber(1)) };
}

/** One that stands in the log of requests, which is written once in a second. */
async function newRequest(client: Client): Promise<Known> {
  const { headers } = await client.get('/config');
  const requestId = headers.get('x-request-id') ?? '';
  await eventually(
    () => client.get(`/console/requests/${requestId}`),
    ({ status }) => status === 200,
  );
  return { requestId };
}

async function newAgents(client: Client, own: Belongings): Promise<Known> {
  const { customerId } = own;
  const quote = quoteBody(own.accountId, own.externalAccountId);
  const { agent, me } = await employed(client, customerId, approvalRequired);
  const asked = async () => {
    const { id } = expectStatus(await me.post('/agents/me/quotes', quote), 201);
    return expectStatus(await executeAs({ me }, { id }), 200);
  };
  const action = await asked();
  expectStatus(await reject(client, await asked()), 200);
  const { deviceCode } = await createAgent(client, customerId);
  return { agentId: agent.id, actionId: action.id, deviceCode: deviceCode.code };
}

/** An event that was told to nobody: the endpoint is not there, and is taken away again. */
async function newWebhookEvent(client: Client, { accountId }: Belongings): Promise<Known> {
  expectStatus(await client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hooks' }), 200);
  await fund(client, accountId, 1);
  const { data } = expectStatus(await client.get('/webhooks/events', { limit: '1' }), 200);
  expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
  return { webhookEventId: data[0].id };
}

/** Parameters whose schema does not tell what they name, or would tell the wrong thing; by path and name, by path, or by name. */
const named: Readonly<Record<string, keyof Belongings>> = {
  '/platform/external-accounts/{externalAccountId}': 'platformExternalAccountId',
  '/beneficial-owners customerId': 'businessId',
  '/verifications customerId': 'businessId',
  documentHolder: 'businessId',
  '/internal-accounts/{id}': 'walletId',
  '/internal-accounts/{id}/export': 'walletId',
  '/auth/credentials': 'walletId',
  '/auth/sessions': 'walletId',
  receiverUmaAddress: 'umaAddress',
  invitationCode: 'invitationCode',
  actionId: 'actionId',
  code: 'deviceCode',
};

type Parameters_ = Pick<DocumentedOperation, 'path' | 'paramSchemas' | 'query'>;

/** Which of a platform's belongings a parameter of an operation names: one with an id of the parameter's type. */
export function belongingOf(
  { path, paramSchemas, query }: Parameters_,
  name: string,
  belongings: Belongings,
): keyof Belongings | undefined {
  const known = named[`${path} ${name}`] ?? named[path] ?? named[name];
  if (known) return known;
  const schema = resolved(paramSchemas[name] ?? query.find((one) => one.name === name)?.schema);
  if (!isIdSchema(schema)) return undefined;
  const pattern = new RegExp(schema.pattern);
  return keysOf(belongings).find((key) => pattern.test(belongings[key]));
}

export const keysOf = (belongings: Belongings) => Object.keys(belongings) as (keyof Belongings)[];

/** The id that a path's parameter takes. */
export function idFor(operation: DocumentedOperation, name: string, belongings: Belongings): string {
  const key = belongingOf(operation, name, belongings);
  if (key) return belongings[key];
  const missing = `nothing in Belongings fits {${name}} of ${operation.path}`;
  throw new Error(`${missing}: let createBelongings in test/support/resources/platforms.ts create one`);
}

/** The path with ids that exist, so that nothing about it can be wrong. */
export const pathOf = (operation: DocumentedOperation, belongings: Belongings): string =>
  filled(operation.path, (name) => idFor(operation, name, belongings));

/** What a query must have, by operation: the document cannot say that one of two is needed. */
const needed: Readonly<Record<string, readonly [name: string, of: keyof Belongings]>> = {
  lookUpUmaAddress: ['customerId', 'customerId'],
  lookUpExternalAccount: ['customerId', 'customerId'],
  listAuthCredentials: ['accountId', 'walletId'],
  listAuthSessions: ['accountId', 'walletId'],
  listBeneficialOwners: ['customerId', 'businessId'],
  searchById: ['id', 'transactionId'],
};

/** The least query that the operation takes. */
export function queryOf(
  { operationId }: Pick<DocumentedOperation, 'operationId'>,
  belongings: Belongings,
): Readonly<Record<string, string>> {
  // A stream ends when its time is over.
  if (['sandboxStreamEvents', 'watchTransactions'].includes(operationId)) return { seconds: '1' };
  const [name, of] = needed[operationId] ?? [];
  return name && of ? { [name]: belongings[of] } : {};
}

/** Path and query of a request that is right. */
export function targetOf(operation: DocumentedOperation, belongings: Belongings): string {
  const query = new URLSearchParams(queryOf(operation, belongings)).toString();
  return pathOf(operation, belongings) + (query && `?${query}`);
}
