/** Bodies of requests that are right, whose ids are those of a platform's belongings. */
import { parseBody, stringify } from '../../../src/kernel/json.ts';
import { type DocumentedOperation, isIdSchema, resolved, type Schema } from '../interface/interface.ts';
import { validValue } from '../interface/schema-values.ts';
import { approvalRequired, policyOf } from '../resources/agents.ts';
import { quoteBody } from '../resources/flows.ts';
import { sandboxAddress } from '../resources/payments.ts';
import { type Belongings, keysOf } from '../resources/platforms.ts';
import { ownerBody } from '../resources/verification.ts';
import { newClientKey } from '../wallets/wallet-client.ts';
import type { Json } from './client.ts';

const clientPublicKey = newClientKey().publicKey;

const transfer = (from: string, to: string) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount: 100,
});
const simulated = (receiver: object) => ({
  senderUmaAddress: sandboxAddress('success.usd'),
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 100,
  ...receiver,
});

const aliases: Readonly<Record<string, string>> = {
  createAgentQuote: 'createQuote',
  agentTransferIn: 'transferIn',
  agentTransferOut: 'transferOut',
};

/** Where the schema alone does not lead to a body that works: one for each way to name what exists. */
const samples: Readonly<Record<string, (own: Belongings) => readonly object[]>> = {
  createQuote: ({ accountId, externalAccountId, ...own }) => {
    const toBank = quoteBody(accountId, externalAccountId);
    const toAddress = { destinationType: 'UMA_ADDRESS', umaAddress: own.umaAddress };
    const { customerId, lookupId } = own;
    return [
      toBank,
      quoteBody(accountId, own.platformExternalAccountId),
      { ...toBank, source: { accountId, customerId } },
      { ...toBank, source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId } },
      { ...toBank, destination: toAddress, lookupId },
    ];
  },
  transferIn: ({ accountId, externalAccountId }) => [transfer(externalAccountId, accountId)],
  transferOut: ({ accountId, externalAccountId }) => [transfer(accountId, externalAccountId)],
  createAgent: ({ customerId }) => [{ name: 'Bookkeeper', customerId, policy: policyOf(approvalRequired) }],
  updateAgent: () => [{ isPaused: true }],
  createBeneficialOwner: ({ businessId }) => [ownerBody(businessId)],
  createVerification: ({ businessId }) => [{ customerId: businessId }],
  createAuthCredential: ({ walletId }) => [{ type: 'EMAIL_OTP', accountId: walletId }],
  verifyAuthCredential: () => [{ otp: '000000', clientPublicKey }],
  refreshAuthSession: () => [{ clientPublicKey }],
  exportInternalAccount: () => [{ clientPublicKey }],
  sandboxSend: ({ quoteId }) => [{ quoteId, currencyCode: 'USD' }],
  // One that hits nothing, lest it hit the tests after it.
  sandboxCreateFault: () => [
    { match: { operationId: 'transferOut', currency: 'XTS' }, effect: { kind: 'DROP', when: 'BEFORE' } },
  ],
  sandboxAdvanceClock: () => [{ duration: 'PT1S' }],
  sandboxReceive: ({ umaAddress, customerId }) => [
    simulated({ receiverUmaAddress: umaAddress }),
    simulated({ customerId }),
  ],
};

/** The first one is the usual request; together they name everything that the operation's body can name. */
export function bodiesOf({ operationId, body }: DocumentedOperation, own: Belongings): readonly Json[] {
  if (!body) return [];
  const least = withIdsOf(own, validValue(body));
  const sample = samples[aliases[operationId] ?? operationId];
  if (sample) return sample(own);
  return idMembers(body).length > 0 ? [least, withIdsOf(own, validValue(body, 'all'))] : [least];
}

export const bodyOf = (operation: DocumentedOperation, own: Belongings): Json => bodiesOf(operation, own)[0];

/** The body with an id of the platform's in place of each id. */
export function withIdsOf(own: Belongings, body: unknown): Json {
  const text = stringify(body).replace(/"(\w+:)[0-9a-f-]{36}"/g, (_id, type) => {
    const id = Object.values(own).find((value) => value.startsWith(type));
    if (!id) throw new Error(`a body names a ${type.slice(0, -1)}: let createBelongings create one`);
    return `"${id}"`;
  });
  return parseBody(Buffer.from(text));
}

/** The places in a body where an id stands: `source.accountId`. */
export function idMembers(schema: Schema, path = '', within: readonly Schema[] = []): string[] {
  const { properties = {}, items, oneOf, anyOf, allOf, ...rest } = resolved(schema) ?? {};
  if (isIdSchema(rest)) return [path];
  if (within.includes(schema)) return [];
  const inner = (member: Schema, name: string) => idMembers(member, name, [...within, schema]);
  const found = [
    ...Object.entries<Schema>(properties).flatMap(([name, member]) => inner(member, join(path, name))),
    ...(items ? inner(items, join(path, '0')) : []),
    ...[oneOf, anyOf, allOf].flat().flatMap((variant) => (variant ? inner(variant, path) : [])),
  ];
  return [...new Set(found)];
}

const join = (path: string, name: string) => (path ? `${path}.${name}` : name);

/** The places in a body whose value is one of a platform's belongings, and which one. */
export const belongingsIn = (value: Json, own: Belongings, path = ''): [string, keyof Belongings][] => {
  if (typeof value === 'string') {
    const key = keysOf(own).find((one) => own[one] === value);
    return key ? [[path, key]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).flatMap(([name, member]) => belongingsIn(member, own, join(path, name)));
};

/** The body with another value at one place. */
export function replacedAt(body: Json, path: string, value: string): Json {
  const [name = '', ...rest] = path.split('.');
  const changed = rest.length === 0 ? value : replacedAt(body[name], rest.join('.'), value);
  return Array.isArray(body) ? body.with(Number(name), changed) : { ...body, [name]: changed };
}
