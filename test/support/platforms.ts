import { randomInt } from 'node:crypto';
import { accountInfoInput } from './builders/external-accounts.ts';
import { type Client, clientOf } from './client.ts';
import { uploadDocument } from './documents.ts';
import { accountOf, createCustomer, expectStatus, fund, quoteBody, registerPayee } from './flows.ts';
import { type DocumentedOperation, filled } from './interface.ts';
import { startTestService, type TestService } from './service.ts';
import { verifiedBusiness } from './verification.ts';

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
  readonly businessId: string;
  readonly beneficialOwnerId: string;
  readonly verificationId: string;
  readonly documentId: string;
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
  const { customerId: businessId, beneficialOwnerId, verificationId } = await verifiedBusiness(client);
  const { id: documentId } = await uploadDocument(client, businessId);
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
    businessId,
    beneficialOwnerId,
    verificationId,
    documentId,
  };
}

/** An event that was told to nobody: the endpoint is not there, and is taken away again. */
async function newWebhookEvent(client: Client, accountId: string): Promise<string> {
  expectStatus(await client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hooks' }), 200);
  await fund(client, accountId, 1);
  const { data } = expectStatus(await client.get('/webhooks/events', { limit: '1' }), 200);
  expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
  return data[0].id;
}

/** Which belonging a parameter names; a path of its own, or a path with the name, takes precedence over the name. */
const named: Readonly<Record<string, keyof Belongings>> = {
  '/platform/external-accounts/{externalAccountId}': 'platformExternalAccountId',
  '/receiver/external-account/{accountId}': 'externalAccountId',
  '/beneficial-owners customerId': 'businessId',
  '/verifications customerId': 'businessId',
  customerId: 'customerId',
  accountId: 'accountId',
  externalAccountId: 'externalAccountId',
  quoteId: 'quoteId',
  transactionId: 'transactionId',
  receiverUmaAddress: 'umaAddress',
  invitationCode: 'invitationCode',
  webhookEventId: 'webhookEventId',
  beneficialOwnerId: 'beneficialOwnerId',
  verificationId: 'verificationId',
  documentId: 'documentId',
  documentHolder: 'businessId',
};

/** Which of a platform's belongings a parameter of an operation names, if it names any. */
export const belongingOf = (
  { path }: Pick<DocumentedOperation, 'path'>,
  name: string,
): keyof Belongings | undefined => named[`${path} ${name}`] ?? named[path] ?? named[name];

/** The path with ids that exist, so that nothing about it can be wrong. */
export const pathOf = (operation: DocumentedOperation, belongings: Belongings): string =>
  filled(operation.path, (name) => {
    const key = belongingOf(operation, name);
    if (!key) throw new Error(`say in the table above what {${name}} of ${operation.path} names`);
    return belongings[key];
  });

/** What a query must have, by operation: the document cannot say that one of two is needed. */
const needed: Readonly<Record<string, keyof Belongings>> = {
  lookUpUmaAddress: 'customerId',
  lookUpExternalAccount: 'customerId',
  listBeneficialOwners: 'businessId',
};

/** The least query that the operation takes. */
export function queryOf(
  { operationId }: Pick<DocumentedOperation, 'operationId'>,
  belongings: Belongings,
): Readonly<Record<string, string>> {
  const key = needed[operationId];
  return key ? { customerId: belongings[key] } : {};
}

/** Path and query of a request that is right. */
export function targetOf(operation: DocumentedOperation, belongings: Belongings): string {
  const query = new URLSearchParams(queryOf(operation, belongings)).toString();
  return pathOf(operation, belongings) + (query && `?${query}`);
}
