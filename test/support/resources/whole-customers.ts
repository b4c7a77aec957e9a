/** Customers of whom everything is said that the interface takes, and who have one of everything. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type AccountType,
  definitionOf,
  definitions,
} from '../../../src/domain/external-accounts/definitions.ts';
import { accountInfoInput, currencyOf } from '../builders/external-accounts.ts';
import type { Answer, Client, Json } from '../http/client.ts';
import { addEmail, signInByEmail, walletOf } from '../wallets/wallets.ts';
import { approvalRequired, approve, employed, executeAs, reject } from './agents.ts';
import { uploadDocument } from './documents.ts';
import { accountOf, expectStatus, fund, quoteBody, untilTransaction } from './flows.ts';
import { customerWith, quote, receive, toAddress } from './payments.ts';
import type { Belongings } from './platforms.ts';
import { verify } from './verification.ts';

/** Words that answers have elsewhere: of a person they are as personal as any other. */
const word = 'COMPLETED';

const address = {
  line1: '1 Main Street',
  line2: 'Flat 2',
  city: 'London',
  state: 'LND',
  postalCode: 'EC1',
  country: 'GB',
};
const reached = { email: 'ada@example.com', phoneNumber: '+14155550142', address };
const identified = { idType: 'SSN', identifier: '078-05-1120', countryOfIssuance: 'US' };

const wholePerson = {
  customerType: 'INDIVIDUAL',
  fullName: word,
  birthDate: '1990-12-10',
  nationality: 'US',
  ...identified,
  ...reached,
  region: 'US',
  currencies: ['USD', 'GTQ', 'JMD', 'XOF'],
};

const wholeBusiness = {
  customerType: 'BUSINESS',
  ...reached,
  region: 'US',
  currencies: ['USD', 'INR'],
  businessInfo: {
    legalName: 'Analytical Engines Ltd',
    doingBusinessAs: 'Engines',
    registrationNumber: 'R-100',
    taxId: 'T-100',
    country: 'US',
    incorporatedOn: '2001-02-03',
    entityType: 'OTHER',
    countriesOfOperation: ['US', 'GB'],
    expectedRecipientJurisdictions: ['US'],
    expectedCounterpartyCountries: ['GB'],
    businessType: 'INFORMATION',
    purposeOfAccount: 'OTHER',
    purposeOfAccountOtherDescription: 'PENDING',
    sourceOfFunds: 'sales',
    sourceOfFundsCategories: ['OTHER', 'DONATIONS'],
    sourceOfFundsOtherDescription: 'APPROVED',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
    naicsCode: '5223',
    primaryContactFirstName: 'Ada',
    primaryContactLastName: 'Lovelace',
  },
};

const personalInfo = {
  firstName: 'Ada',
  middleName: 'King',
  lastName: 'Lovelace',
  birthDate: '1990-12-10',
  nationality: 'GB',
  ...identified,
  ...reached,
};

const extras = {
  ...reached,
  countryOfResidence: 'GB',
  registrationNumber: 'R-7',
  documentType: 'CC',
  documentNumber: 'D7',
};
const beneficiaries = [
  { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada', birthDate: '1990-12-10', nationality: 'GB', ...extras },
  { beneficiaryType: 'BUSINESS', legalName: 'Engines', taxId: 'T7', ...extras },
];

/** Their examples have no check digits. */
const checked = new Set(['iban', 'intermediaryRoutingNumber']);

/** Every field that can be told beside the account's own number. */
function wholeAccountInfo(accountType: AccountType, n: number) {
  const told = Object.entries(definitionOf(accountType).fields).flatMap(([name, schema]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const [example] = z.array(z.string()).parse(z.globalRegistry.get(inner as z.ZodType)?.examples ?? []);
    return example === undefined || checked.has(name) ? [] : [[name, example]];
  });
  const [beneficiary] = [beneficiaries[n % beneficiaries.length]];
  return { ...Object.fromEntries(told), ...accountInfoInput(accountType), beneficiary };
}

type Sent = { readonly operationId: string; readonly again: () => Promise<Answer> };

/** `kept` are requests that have a key, and an answer under it. */
export type WholeCustomer = {
  readonly id: string;
  readonly own: Partial<Belongings>;
  readonly kept: readonly Sent[];
};

const post = async (client: Client, path: string, body: object): Promise<Json> =>
  expectStatus(await client.post(path, body), 201);

/** Sends what takes a key, and remembers it. */
function keyedBy(client: Client) {
  const kept: Sent[] = [];
  const send = async (operationId: string, path: string, body: object): Promise<Json> => {
    const key = { 'Idempotency-Key': randomUUID() };
    const again = () => client.post(path, body, key);
    kept.push({ operationId, again });
    return expectStatus(await again(), 201);
  };
  return {
    kept,
    quote: (body: object) => send('createQuote', '/quotes', body),
    transferOut: (body: object) => send('transferOut', '/transfer-out', body),
  };
}

type Keyed = ReturnType<typeof keyedBy>;

const usedTypes: ReadonlySet<string> = new Set([
  'USD_ACCOUNT',
  'GTQ_ACCOUNT',
  'JMD_ACCOUNT',
  'XOF_ACCOUNT',
  'INR_ACCOUNT',
]);

/** An account of every type, each of which was looked at once more. */
async function registerAll(
  client: Client,
  customerId: string,
  defaultUmaDepositAccount = false,
): Promise<ReadonlyMap<string, Json>> {
  const registered = new Map<string, Json>();
  for (const [n, { accountType }] of definitions.entries()) {
    const accountInfo = wholeAccountInfo(accountType, n);
    const body = {
      customerId,
      currency: currencyOf(accountType),
      accountInfo,
      ownershipType: 'FIRST_PARTY',
      defaultUmaDepositAccount,
    };
    const account = await post(client, '/customers/external-accounts', body);
    const path = `/sandbox/external-accounts/${account.id}/status`;
    const isUsed = usedTypes.has(accountType);
    for (const status of isUsed ? ['UNDER_REVIEW', 'ACTIVE'] : ['UNDER_REVIEW'])
      expectStatus(await client.post(path, { status, reason: status }), 200);
    registered.set(accountType, account);
  }
  return registered;
}

/** Pays all that the account has to an account outside, and looks that up before. */
async function payOut(client: Client, keyed: Keyed, customer: Json, payee: Json): Promise<void> {
  const [account, amount] = [await accountOf(client, customer.id, payee.currency), 100];
  await fund(client, account.id, amount);
  expectStatus(await client.get(`/receiver/external-account/${payee.id}`, { customerId: customer.id }), 200);
  const ends = { source: { accountId: account.id }, destination: { accountId: payee.id } };
  const { id } = await keyed.transferOut({ ...ends, amount, description: word, remittanceInformation: word });
  await untilTransaction(client, id, 'COMPLETED');
}

/** One who pays and is paid, with a wallet, agents, documents and invitations. */
export async function wholePersonWith(client: Client, elsewhere: Client): Promise<WholeCustomer> {
  const keyed = keyedBy(client);
  const customer: Json = await post(client, '/customers', wholePerson);
  const { id: customerId, umaAddress } = customer;
  const account = await accountOf(client, customerId);
  const walletId = await walletOf(client, customer);
  const credential = await addEmail(client, { customer, accountId: walletId });
  const session = await signInByEmail(client, credential.id);
  const payees = await registerAll(client, customerId);
  const payee = payees.get('USD_ACCOUNT') ?? {};
  for (const type of ['GTQ_ACCOUNT', 'JMD_ACCOUNT', 'XOF_ACCOUNT'])
    await payOut(client, keyed, customer, payees.get(type) ?? {});
  await fund(client, account.id, 50_000);
  const said = {
    immediatelyExecute: true,
    description: word,
    remittanceInformation: word,
    senderCustomerInfo: { NATIONALITY: 'US', status: 'PROCESSING' },
  };
  const toBank = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 10_000, ...said });
  const bank = await keyed.quote(toBank);
  await untilTransaction(client, bank.transactionId, 'COMPLETED');
  const other = await customerWith(elsewhere, 50_000);
  const from = { customer, account };
  const sent = await keyed.quote(
    await toAddress(client, from, other.customer.umaAddress, { lockedCurrencyAmount: 10_000, ...said }),
  );
  const to = await toAddress(elsewhere, other, umaAddress, { lockedCurrencyAmount: 5_000, ...said });
  const got = await quote(elsewhere, to);
  await untilTransaction(client, sent.transactionId, 'COMPLETED');
  await untilTransaction(elsewhere, got.transactionId, 'COMPLETED');
  const received = expectStatus(await receive(client, { receiverUmaAddress: umaAddress }), 200);
  await untilTransaction(client, received.id, 'COMPLETED');
  const { agent, me } = await employed(client, customerId, approvalRequired);
  const asked = async (lockedCurrencyAmount: number) => {
    const body = quoteBody(account.id, payee.id, {
      ...said,
      immediatelyExecute: false,
      lockedCurrencyAmount,
    });
    const { id } = expectStatus(await me.post('/agents/me/quotes', body), 201);
    return expectStatus(await executeAs({ me }, { id }), 200);
  };
  expectStatus(await reject(client, await asked(1_000), { reason: 'REJECTED' }), 200);
  const { body: own } = await client.get(`/customers/internal-accounts`, { customerId, currency: 'USD' });
  const left = own.data.find(({ id }: Json) => id === account.id).balance.amount;
  const action = await asked(left);
  expectStatus(await approve(client, action), 200);
  await untilTransaction(client, action.quote.transactionId, 'COMPLETED');
  const invitation = await post(client, '/invitations', {
    inviterUma: umaAddress,
    firstName: word,
  });
  const inviteeUma = other.customer.umaAddress;
  expectStatus(await elsewhere.post(`/invitations/${invitation.code}/claim`, { inviteeUma }), 200);
  const document = await uploadDocument(client, customerId, { documentNumber: 'PASSPORT' });
  return {
    id: customerId,
    kept: keyed.kept,
    own: {
      customerId,
      accountId: account.id,
      externalAccountId: payee.id,
      quoteId: bank.id,
      transactionId: bank.transactionId,
      invitationCode: invitation.code,
      walletId,
      credentialId: credential.id,
      sessionId: session.id,
      documentId: document.id,
      agentId: agent.id,
      actionId: action.id,
    },
  };
}

/** One with two owners, all of whom were verified. */
export async function wholeBusinessWith(client: Client): Promise<WholeCustomer> {
  const keyed = keyedBy(client);
  const customer: Json = await post(client, '/customers', wholeBusiness);
  const { id: customerId } = customer;
  const owners = [];
  for (const roles of [['UBO'], ['DIRECTOR', 'TRUSTEE']]) {
    const body = { customerId, roles, ownershipPercentage: 40, personalInfo };
    owners.push(await post(client, '/beneficial-owners', body));
  }
  for (const { id } of [customer, ...owners])
    await uploadDocument(client, id, { documentType: 'OTHER', country: 'US', documentNumber: 'OTHER' });
  const { id: verificationId } = expectStatus(await verify(client, customerId), 200);
  const payees = await registerAll(client, customerId, true);
  await payOut(client, keyed, customer, payees.get('INR_ACCOUNT') ?? {});
  return {
    id: customerId,
    kept: keyed.kept,
    own: { businessId: customerId, beneficialOwnerId: owners[0].id, verificationId },
  };
}
