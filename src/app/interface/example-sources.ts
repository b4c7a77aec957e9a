/**
 * Where the page of the documentation takes what stands in its examples from: by the id of the example, the calls that
 * make it in the sandbox. A call names what it needs by other ids of examples.
 */
import { exampleIds as own } from './example-ids.ts';
import { requestExamples as bodies } from './examples.ts';

type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object | undefined;
  /** The fields of a form, which gets a file as well. */
  readonly form?: Readonly<Record<string, string>>;
  /** The agent who calls; else the platform. */
  readonly as?: string;
  /** Asked again until the answer has this value there. */
  readonly until?: readonly [at: string, value: string];
};

/** Calls in their order, and where in the last answer the value is; or any number of an account. */
export type Source = {
  /** Made for each request. */
  readonly isNew: boolean;
} & ({ readonly calls: readonly Call[]; readonly take: string } | { readonly random: 'number' });

const made = (take: string, ...calls: Call[]): Source => ({ isNew: false, take, calls });
const anew = (take: string, ...calls: Call[]): Source => ({ isNew: true, take, calls });
const get = (path: string, more: Partial<Call> = {}): Call => ({ method: 'GET', path, ...more });
const post = (path: string, body?: object, more: Partial<Call> = {}): Call => ({
  method: 'POST',
  path,
  ...(body && { body }),
  ...more,
});

const person = post('/customers', bodies.createCustomer);
const business = post('/customers', {
  customerType: 'BUSINESS',
  region: 'US',
  currencies: ['USD'],
  businessInfo: { legalName: 'Analytical Engines Ltd' },
});
const ownerOf = (customerId: string) =>
  post('/beneficial-owners', { ...bodies.createBeneficialOwner, customerId });
const documentOf = (documentHolder: string) =>
  post('/documents', undefined, {
    form: { documentHolder, documentType: 'PASSPORT', country: 'GB', side: 'FRONT' },
  });
const accountOf = (customerId: string) =>
  get(`/customers/internal-accounts?customerId=${customerId}&currency=USD`);
const walletOf = (customerId: string) =>
  get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`);
const fundingOf = (accountId: string) =>
  post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 10_000_000 });
const euroAccountOf = (customerId: string) =>
  post('/customers/external-accounts', { ...bodies.createCustomerExternalAccount, customerId });
const dollarAccountOf = (customerId: string) =>
  post('/customers/external-accounts', { ...bodies.createPlatformExternalAccount, customerId });
const payment = post('/quotes', { ...bodies.createQuote, immediatelyExecute: true });
const emailOf = (accountId: string) => post('/auth/credentials', { type: 'EMAIL_OTP', accountId });
const challengeOf = (credentialId: string) => post(`/auth/credentials/${credentialId}/challenge`, {});
const agentThat = (defaultExecutionMode: string) => {
  const { policy, ...agent } = bodies.createAgent as { readonly policy: object };
  return post('/agents', { ...agent, policy: { ...policy, defaultExecutionMode } });
};
const redemptionOf = (code: string) => post(`/agents/device-codes/${code}/redeem`);
const asAgent = { as: own.agentToken };
const asking = { as: own.askingAgentToken };

const sources: Readonly<Record<keyof typeof own, Source>> = {
  customerId: made('id', person),
  newCustomerId: anew('id', person),
  otherCustomerId: made('id', person),
  businessId: made('id', business),
  newBusinessId: anew('id', business),
  agentCustomerId: made('customerId', get('/agents/me', asAgent)),
  beneficialOwnerId: made('id', ownerOf(own.businessId)),
  newBeneficialOwnerId: anew('id', ownerOf(own.newBusinessId)),
  documentId: made('id', documentOf(own.businessId)),
  newDocumentId: anew('id', documentOf(own.businessId)),
  newOwnedBusinessId: anew('customerId', ownerOf(own.newBusinessId)),
  verificationId: made('id', post('/verifications', bodies.createVerification)),
  emptyAccountId: made('data.0.id', accountOf(own.customerId)),
  accountId: made('id', fundingOf(own.emptyAccountId)),
  newAccountId: anew('data.0.id', accountOf(own.newCustomerId)),
  walletId: made('data.0.id', walletOf(own.customerId)),
  newWalletId: anew('data.0.id', walletOf(own.newCustomerId)),
  agentEmptyAccountId: made('data.0.id', accountOf(own.agentCustomerId)),
  agentAccountId: made('id', fundingOf(own.agentEmptyAccountId)),
  externalAccountId: made('id', euroAccountOf(own.customerId)),
  newExternalAccountId: anew('id', euroAccountOf(own.newCustomerId)),
  bankId: made('id', dollarAccountOf(own.customerId)),
  platformExternalAccountId: made(
    'id',
    post('/platform/external-accounts', bodies.createPlatformExternalAccount),
  ),
  newPlatformExternalAccountId: anew(
    'id',
    post('/platform/external-accounts', bodies.createPlatformExternalAccount),
  ),
  agentExternalAccountId: made('id', dollarAccountOf(own.agentCustomerId)),
  newAgentExternalAccountId: anew('id', dollarAccountOf(own.agentCustomerId)),
  agentBankId: made('id', dollarAccountOf(own.agentCustomerId)),
  newQuoteId: anew('id', post('/quotes', bodies.createQuote)),
  newFundingQuoteId: anew(
    'id',
    post('/quotes', {
      ...bodies.createQuote,
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: own.customerId },
    }),
  ),
  newAgentQuoteId: anew('id', post('/agents/me/quotes', bodies.createAgentQuote, asAgent)),
  transactionId: made('transactionId', payment),
  completedTransactionId: made(
    'id',
    get(`/transactions/${own.transactionId}`, { until: ['status', 'COMPLETED'] }),
  ),
  newPendingTransactionId: anew('id', post('/sandbox/uma/receive', bodies.sandboxReceive)),
  agentTransactionId: made(
    'transaction.id',
    post('/agents/me/transfer-out', bodies.agentTransferOut, asAgent),
  ),
  credentialId: made('id', emailOf(own.walletId)),
  newCredentialId: anew('id', emailOf(own.newWalletId)),
  newChallengedId: anew('id', challengeOf(own.newCredentialId)),
  newSessionId: anew(
    'id',
    post(`/auth/credentials/${own.newChallengedId}/verify`, bodies.verifyAuthCredential),
  ),
  tokenId: made('id', post('/tokens', bodies.createToken)),
  newTokenId: anew('id', post('/tokens', bodies.createToken)),
  agentId: made('agent.id', post('/agents', bodies.createAgent)),
  newAgentId: anew('agent.id', post('/agents', bodies.createAgent)),
  askingAgentId: made('id', get('/agents/me', asking)),
  newActionId: anew('id', post('/agents/me/transfer-out', bodies.transferOut, asking)),
  agentActionId: made('id', post('/agents/me/transfer-out', bodies.agentTransferOut, asAgent)),
  webhookEventId: anew('data.0.id', get('/webhooks/events?limit=1')),
  newSnapshotId: anew('id', post('/sandbox/snapshots', bodies.sandboxCreateSnapshot)),
  requestId: made(
    'data.0.id',
    get('/console/requests?limit=1&method=GET', { until: ['data.0.method', 'GET'] }),
  ),
  newFaultId: anew('id', post('/sandbox/faults', bodies.sandboxCreateFault)),
  newInvitationCode: anew('code', post('/invitations', bodies.createInvitation)),
  newDeviceCode: anew('code', post(`/agents/${own.newAgentId}/device-codes`)),
  customerAddress: made('umaAddress', get(`/customers/${own.customerId}`)),
  otherAddress: made('umaAddress', get(`/customers/${own.otherCustomerId}`)),
  agentDeviceCode: made('deviceCode.code', agentThat('AUTO')),
  agentToken: made('accessToken', redemptionOf(own.agentDeviceCode)),
  askingDeviceCode: made('deviceCode.code', agentThat('APPROVAL_REQUIRED')),
  askingAgentToken: made('accessToken', redemptionOf(own.askingDeviceCode)),
  newAccountNumber: { isNew: true, random: 'number' },
};

/** By what stands in the examples. */
export const exampleSources: Readonly<Record<string, Source>> = Object.fromEntries(
  Object.entries(sources).map(([name, source]) => [own[name as keyof typeof own], source]),
);

/** What stands for the access token of the agent who calls. */
export const { agentToken } = own;
