import { z } from 'zod';
import { invariant } from '../../kernel/invariant.ts';
import { componentName, paymentRail } from '../external-accounts/account-type.ts';
import {
  type AccountTypeDefinition,
  accountTypeOfCurrency,
  definitionOf,
  definitions,
} from '../external-accounts/definitions.ts';
import { findCurrency } from '../money/currencies.ts';
import { digits, text } from '../values/text.ts';
import {
  digitsFor,
  pixCodeFor,
  referenceFor,
  walletAddressFor,
  withDigitsFor,
} from './funding-identifiers.ts';

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
function payInFields({ fields, payoutOnly = [] }: AccountTypeDefinition): Fields {
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

const isWallet = ({ fields }: AccountTypeDefinition): boolean => 'address' in fields;

function instructionFields(definition: AccountTypeDefinition): Fields {
  const exception = exceptions[definition.accountType];
  if (exception !== undefined) return exception;
  return isWallet(definition)
    ? { address, assetType: z.enum(assetsOf(definition)).optional() }
    : { ...payInFields(definition), ...rails, ...reference };
}

const assetsOf = ({ currencies = [] }: AccountTypeDefinition): readonly string[] =>
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

/**
 * The ways to pay `currency` into the account or quote that `accountKey` names. The same key always gives the same
 * instructions; another key gives another reference and other account numbers and addresses.
 */
export function fundingInstructions(currency: string, accountKey: string): PaymentInstruction[] {
  const kind = findCurrency(currency)?.kind;
  invariant(kind !== undefined, `unknown currency ${currency}`);
  const infos = kind === 'fiat' ? [bankInfo(currency, accountKey)] : walletInfos(currency, accountKey);
  return infos.map((info) =>
    paymentInstructionSchema.parse({
      accountOrWalletInfo: info,
      ...('reference' in info && {
        instructionsNotes: 'State the reference, so that the payment finds its account.',
      }),
    }),
  );
}

type Info = Readonly<Record<string, unknown>>;

function bankInfo(currency: string, accountKey: string): Info {
  const paymentReference = referenceFor(accountKey);
  if (currency === 'ARS') {
    return {
      accountType: 'ARS_ACCOUNT',
      accountNumber: digitsFor(accountKey, 'ARS_ACCOUNT', 22),
      paymentRails: ['BANK_TRANSFER'],
      reference: paymentReference,
    };
  }
  const accountType = accountTypeOfCurrency(currency);
  invariant(accountType !== undefined, `no bank account type for ${currency}`);
  if (accountType === 'BRL_ACCOUNT') return { accountType, qrCode: pixCodeFor(accountKey) };
  if (accountType === 'COP_ACCOUNT') {
    return { accountType, paymentUrl: `https://pay.daybook.example/cop/${paymentReference}` };
  }
  const definition = definitionOf(accountType);
  return {
    accountType,
    ...accountFields(definition, accountKey),
    paymentRails: definition.rails,
    ...(accountType !== 'INR_ACCOUNT' && { reference: paymentReference }),
  };
}

/** The examples of the account type's fields, with digits of this key in those that identify the account. */
function accountFields(definition: AccountTypeDefinition, accountKey: string): Info {
  const values = Object.entries(payInFields(definition)).map(([name, schema]) => {
    const example = exampleOf(schema);
    const value = definition.identifiers.includes(name)
      ? withDigitsFor(accountKey, `${definition.accountType}.${name}`, example)
      : example;
    return [name, value];
  });
  return Object.fromEntries(values);
}

function exampleOf(schema: z.ZodType): string {
  const described = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const [example] = z.array(z.string()).parse(z.globalRegistry.get(described)?.examples ?? []);
  invariant(example !== undefined, 'a field of an account type has no example');
  return example;
}

function walletInfos(currency: string, accountKey: string): readonly Info[] {
  const wallets = definitions
    .filter((definition) => isWallet(definition) && assetsOf(definition).includes(currency))
    .map(({ accountType }) => ({
      accountType,
      address: walletAddressFor(accountKey, accountType),
      assetType: currency,
    }));
  if (currency !== 'BTC') return wallets;
  const bitcoin = {
    accountType: 'BITCOIN_L1',
    address: walletAddressFor(accountKey, 'BITCOIN_L1'),
    network: 'BITCOIN',
  };
  return [...wallets, bitcoin];
}
