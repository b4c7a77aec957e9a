/** What the parameters of requests mean, where an operation does not say it itself (docs/reference/pagination.md). */

const days =
  'A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.';
const account =
  'The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by.';

/** In any operation. */
const always: Readonly<Record<string, string>> = {
  limit: 'The most items of a page.',
  cursor: 'The nextCursor of the page before, with the same filters and order. The first page without it.',
  sortOrder: 'By the time of creation: the newest first, or the oldest.',
  createdAfter: `Created then or later. ${days}`,
  createdBefore: `Created then or earlier. ${days}`,
  updatedAfter: `Last changed then or later. ${days}`,
  updatedBefore: `Last changed then or earlier. ${days}`,
  decidedAfter: `Decided then or later. ${days}`,
  decidedBefore: `Decided then or earlier. ${days}`,
  startDate: `Created then or later. ${days}`,
  endDate: `Created then or earlier. ${days}`,
  from: `The first moment. ${days}`,
  to: `The last moment. ${days}`,
  at: `The moment. ${days}`,
  customerId: 'Of this customer alone.',
  platformCustomerId: "Of the customer with this id of the platform's own, in the same case.",
  agentId: 'Of this agent alone.',
  currency: 'In this currency alone, by its code.',
  type: 'Of this type alone.',
  status: 'With this status alone.',
  state: 'In this state alone.',
  accountIdentifier: `The sender or the receiver. ${account}`,
  senderAccountIdentifier: `The sender. ${account}`,
  receiverAccountIdentifier: `The receiver. ${account}`,
  reference: 'With this reference in reconciliationInstructions, in the same case.',
  objectId: 'About what has this id, a payment for example.',
  seconds: 'Ends after so many seconds.',
  senderUmaAddress: 'The payment address of the customer who would pay. Needed where customerId is left out.',
};

/** In one operation. */
const particular: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listCustomers: {
    customerType: 'People or businesses alone.',
    region: 'In this country alone, by ISO 3166-1 alpha-2.',
    currency: 'Customers that have this currency.',
    umaAddress: 'The customer with this payment address, whose case does not count.',
    isIncludingDeleted: 'Whether deleted customers are in the list. They are not where it is left out.',
  },
  listBeneficialOwners: { customerId: 'The business whose owners they are.' },
  listDocuments: { documentHolder: 'Of this customer or beneficial owner alone.' },
  listVerifications: { verificationStatus: 'With this status alone.' },
  listTokens: { name: 'With this name, in the same case.' },
  listAgents: {
    isPaused: 'Whether they are paused.',
    isConnected: 'Whether their device code was redeemed.',
  },
  listAuthCredentials: { accountId: 'The wallet, an internal account of the type EMBEDDED_WALLET.' },
  listAuthSessions: { accountId: 'The wallet, an internal account of the type EMBEDDED_WALLET.' },
  lookUpUmaAddress: { customerId: 'The customer who would pay. Needed where senderUmaAddress is left out.' },
  lookUpExternalAccount: {
    customerId: 'The customer who would pay. Needed where senderUmaAddress is left out.',
  },
  listExchangeRates: {
    sourceCurrency: 'From this currency alone.',
    destinationCurrency: 'To these currencies alone: the parameter once for each.',
    sendingAmount: 'What would be sent, in the smallest unit of each source currency.',
  },
  sandboxListWebhooks: {
    limit: 'The most items of the answer.',
    waitSeconds: 'Waits so long for the first that matches.',
  },
  getProof: {
    stream: 'The stream of the event. Only beside revision.',
    revision: 'The number of the event in its stream, from 0. Only beside stream.',
    from: 'The number of events of the smaller tree.',
    size: 'The number of events of the tree.',
  },
  listConsoleRequests: {
    method: 'With this method alone.',
    operationId: 'Of this operation alone.',
    status: 'Answered with this status alone.',
    minStatus: 'Answered with this status or a greater one.',
    idempotencyKey: 'With this key alone, in the same case.',
    requestId: 'The one with this id.',
  },
  searchById: { id: 'An id of the interface, or a uuid alone.' },
};

/** Nothing for a parameter that says it itself, and for ids in a path, which are of what the path names. */
export const parameterText = (operationId: string, name: string): string | undefined =>
  particular[operationId]?.[name] ?? always[name];
