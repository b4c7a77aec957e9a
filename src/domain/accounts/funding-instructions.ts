import { z } from 'zod';
import { invariant } from '../../kernel/invariant.ts';
import {
  type AccountType,
  type AccountTypeDefinition,
  accountTypeOfCurrency,
  definitionOf,
  definitions,
} from '../external-accounts/definitions.ts';
import { findCurrency, isCrypto } from '../money/currencies.ts';
import type { Environment } from '../platforms/events.ts';
import {
  digitsFor,
  pixCodeFor,
  referenceFor,
  walletAddressFor,
  withCheckDigits,
  withDigitsFor,
} from './funding-identifiers.ts';
import {
  assetsOf,
  isWallet,
  type PaymentInstruction,
  payInFields,
  paymentInstructionSchema,
} from './payment-instructions.ts';

/**
 * Whether money that comes in is found: by the reference that its payer states. Whoever pays a cryptocurrency states none,
 * and the addresses are of nobody outside the sandbox.
 */
export const canBePaidIn = (currency: string, environment: Environment): boolean =>
  environment === 'sandbox' || !isCrypto(currency);

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
      ...notesFor(info, accountKey),
    }),
  );
}

type Info = Readonly<Record<string, unknown>>;

/** An account in INR has no field for the reference. */
function notesFor(info: Info, accountKey: string): { instructionsNotes?: string } {
  const stated =
    info.accountType === 'INR_ACCOUNT' ? referenceFor(accountKey) : info.reference && 'the reference';
  return stated ? { instructionsNotes: `State ${stated}, so that the payment finds its account.` } : {};
}

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
const accountFields = ({ accountType, identifiers }: AccountTypeDefinition, accountKey: string): Info =>
  Object.fromEntries(
    examplesOf(accountType).map(([name, example]) => {
      if (!identifiers.includes(name)) return [name, example];
      const number = withDigitsFor(accountKey, `${accountType}.${name}`, example);
      return [name, name === 'iban' ? withCheckDigits(number) : number];
    }),
  );

type Example = readonly [name: string, example: string];

/** By account type: the schemas of its fields are read once. */
const examples = new Map<string, readonly Example[]>();

function examplesOf(accountType: AccountType): readonly Example[] {
  const known = examples.get(accountType);
  if (known) return known;
  const fields = Object.entries(payInFields(definitionOf(accountType)));
  const read = fields.map(([name, schema]): Example => [name, exampleOf(schema)]);
  examples.set(accountType, read);
  return read;
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
