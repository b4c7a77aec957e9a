import { z } from 'zod';
import { componentName } from '../external-accounts/account-type.ts';
import { type AccountTypeDefinition, definitionOf, definitions } from '../external-accounts/definitions.ts';
import { paymentRail } from '../external-accounts/payment-rails.ts';
import { digits, text } from '../values/text.ts';

type Fields = Readonly<Record<string, z.ZodType>>;

const rails = { paymentRails: z.array(paymentRail) };
const reference = {
  reference: z
    .string()
    .meta({ description: 'Names the account that the payment is for; no other account has it.' }),
};
const address = z.string().min(1);

const component = (accountType: string, fields: Fields) =>
  z
    .object({ accountType: z.literal(accountType), ...fields })
    .meta({ id: `${componentName(accountType)}PaymentInfo` });

/** What someone who pays in needs of a bank account's fields: those that find the account. */
export function payInFields({ fields, payoutOnly = [] }: AccountTypeDefinition): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !payoutOnly.includes(name)));
}

/** The account types whose instructions differ from their fields. */
const exceptions: Readonly<Record<string, Fields>> = {
  USD_ACCOUNT: {
    ...payInFields(definitionOf('USD_ACCOUNT')),
    bankAddress: text(1, 255).optional(),
    ...rails,
    ...reference,
  },
  INR_ACCOUNT: { ...payInFields(definitionOf('INR_ACCOUNT')), ...rails },
  SWIFT_ACCOUNT: {
    ...payInFields(definitionOf('SWIFT_ACCOUNT')),
    accountHolderName: text(1, 255),
    bankAddress: text(1, 1024).optional(),
    ...rails,
    reference: reference.reference.optional(),
  },
  BRL_ACCOUNT: { qrCode: z.string() },
  COP_ACCOUNT: { paymentUrl: z.url() },
  SPARK_WALLET: { address, assetType: z.enum(['BTC', 'USDB']), invoice: z.string().optional() },
  LIGHTNING: { invoice: z.string() },
};

export const isWallet = ({ fields }: AccountTypeDefinition): boolean => 'address' in fields;

function instructionFields(definition: AccountTypeDefinition): Fields {
  const exception = exceptions[definition.accountType];
  if (exception !== undefined) return exception;
  return isWallet(definition)
    ? { address, assetType: z.enum(assetsOf(definition)).optional() }
    : { ...payInFields(definition), ...rails, ...reference };
}

export const assetsOf = ({ currencies = [] }: AccountTypeDefinition): readonly string[] =>
  typeof currencies === 'string' ? [] : currencies;

/** Where to send money, by account type. */
export const accountOrWalletInfoSchema = z
  .discriminatedUnion('accountType', [
    component('ARS_ACCOUNT', { accountNumber: digits(22), ...rails, ...reference }),
    component('BITCOIN_L1', { address, network: z.literal('BITCOIN').optional() }),
    component('EMBEDDED_WALLET', { payloadToSign: z.string() }),
    ...definitions.map((definition) => component(definition.accountType, instructionFields(definition))),
  ])
  .meta({ id: 'AccountOrWalletInfo' });

export const paymentInstructionSchema = z
  .object({
    accountOrWalletInfo: accountOrWalletInfoSchema,
    instructionsNotes: z.string().optional(),
    isPlatformAccount: z.boolean().optional(),
  })
  .meta({ id: 'PaymentInstruction' });
export type PaymentInstruction = z.output<typeof paymentInstructionSchema>;
