/** The two ends of a payment: where money comes from and goes to, and what each side is told of the other. */
import { z } from 'zod';
import { personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

/** The networks that a quote may be paid over in cryptocurrency. */
export const cryptoNetworks = [
  'SOLANA',
  'ETHEREUM',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
  'SPARK',
  'LIGHTNING',
  'BITCOIN',
] as const;

/** Where the money of a payment comes from. */
export const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('INTERNAL'),
    accountId: idField('InternalAccount'),
    /** Of an embedded wallet: the text that one of its session keys has to sign. */
    payloadToSign: z.string().optional(),
  }),
  z.object({ kind: z.literal('EXTERNAL'), accountId: idField('ExternalAccount') }),
  z.object({ kind: z.literal('REALTIME_FUNDING'), cryptoNetwork: z.enum(cryptoNetworks).optional() }),
  z.object({ kind: z.literal('UMA_ADDRESS'), umaAddress: personal(z.string()) }),
]);
export type PaymentSource = z.output<typeof source>;

/** Where the money of a payment goes. */
export const destination = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('INTERNAL'), accountId: idField('InternalAccount') }),
  z.object({
    kind: z.literal('EXTERNAL'),
    accountId: idField('ExternalAccount'),
    paymentRail: z.string().optional(),
  }),
  z.object({ kind: z.literal('UMA_ADDRESS'), umaAddress: personal(z.string()) }),
]);
export type PaymentDestination = z.output<typeof destination>;

/** An account that takes what is paid to a payment address. */
export const depositAccount = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('INTERNAL'), accountId: idField('InternalAccount') }),
  z.object({ kind: z.literal('EXTERNAL'), accountId: idField('ExternalAccount') }),
]);
export type DepositAccount = z.output<typeof depositAccount>;

/** Who holds a payment address that is paid: a customer here, with the account that takes it, or somebody outside. */
export const payee = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('CUSTOMER'),
    platformId: idField('Platform'),
    customerId: idField('Customer'),
    account: depositAccount,
  }),
  z.object({ kind: z.literal('OUTSIDE') }),
]);
export type Payee = z.output<typeof payee>;

/** What one side of a payment is told about the other, by the names of payer fields. */
export const partyInformation = personal(z.record(z.string(), z.string()));
export type PartyInformation = z.output<typeof partyInformation>;

/** What a side wants to know about the other. */
export const askedFields = z.array(z.object({ name: z.string(), mandatory: z.boolean() }));
export type AskedFields = z.output<typeof askedFields>;
