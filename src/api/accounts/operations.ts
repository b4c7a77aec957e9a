import { z } from 'zod';
import type { LedgerBalance } from '../../../projections/models/ledger.ts';
import type { InternalAccountRow } from '../../../projections/tables/accounts.ts';
import { accountStatuses, accountTypes } from '../../domain/accounts/events.ts';
import { fundingInstructions, paymentInstructionSchema } from '../../domain/accounts/payment-instructions.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idField, idSchema } from '../../kernel/ids.ts';
import { currencyAmountSchema, currencyCode, currencySchema, renderAmount } from '../fields/amounts.ts';
import { pageOf, pageQuery, present, timestamp, wholeNumber } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';

/** Completion 5. */
export const internalAccountSchema = z
  .object({
    id: idField('InternalAccount'),
    customerId: idField('Customer')
      .optional()
      .meta({ description: "Absent for the platform's own account." }),
    type: z.enum(accountTypes),
    status: z.enum(accountStatuses),
    balance: currencyAmountSchema,
    totalBalance: currencyAmountSchema,
    fundingPaymentInstructions: z.array(paymentInstructionSchema),
    privateEnabled: z.boolean().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'InternalAccount' });

export function renderInternalAccount(row: InternalAccountRow): z.input<typeof internalAccountSchema> {
  const balance = renderAmount({ minor: row.balance, currency: row.currency });
  const isWallet = row.type === 'EMBEDDED_WALLET';
  return present({
    id: row.id,
    customerId: row.customer_id ?? undefined,
    type: row.type,
    status: row.status,
    balance,
    totalBalance: balance,
    fundingPaymentInstructions: isWallet ? [] : fundingInstructions(row.currency, row.id),
    privateEnabled: isWallet ? row.private_enabled : undefined,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
}

const tag = 'Internal accounts';
const filters = { currency: currencyCode.optional(), type: z.enum(accountTypes).optional() };

export const listCustomerInternalAccounts = {
  operationId: 'listCustomerInternalAccounts',
  method: 'get',
  path: '/customers/internal-accounts',
  tag,
  summary: "List customers' internal accounts",
  permission: ['VIEW'],
  query: z.object({ ...filters, customerId: idSchema('Customer').optional(), ...pageQuery }),
  responses: {
    200: { description: 'A page of accounts, newest first.', schema: pageOf(internalAccountSchema) },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const listPlatformInternalAccounts = {
  operationId: 'listPlatformInternalAccounts',
  method: 'get',
  path: '/platform/internal-accounts',
  tag,
  summary: "List the platform's own internal accounts",
  permission: ['VIEW'],
  query: z.object(filters),
  responses: {
    200: { description: 'The accounts.', schema: z.object({ data: z.array(internalAccountSchema) }) },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

const trialBalanceSchema = z
  .object({
    currency: currencySchema,
    internal: wholeNumber.meta({ description: 'What all internal accounts hold together.' }),
    rail: wholeNumber.meta({ description: 'The outside world: what was paid out less what came in.' }),
    inFlight: wholeNumber.meta({ description: 'Debited and not yet paid out or given back.' }),
    fees: wholeNumber,
    fx: wholeNumber.meta({ description: 'What exchange has taken in less what it has given out.' }),
    total: wholeNumber.meta({ description: 'The sum of the others: zero when the books balance.' }),
  })
  .meta({ id: 'TrialBalance' });

export function renderTrialBalances(
  balances: readonly LedgerBalance[],
): z.input<typeof trialBalanceSchema>[] {
  const byCurrency = Map.groupBy(balances, ({ currency }) => currency);
  return [...byCurrency].map(([currency, rows]) => {
    const held = (account: LedgerBalance['account']) =>
      rows.find((row) => row.account === account)?.minor ?? 0n;
    return {
      currency: currencyView(currency),
      internal: held('internal'),
      rail: held('rail'),
      inFlight: held('in-flight'),
      fees: held('fees'),
      fx: held('fx'),
      total: rows.reduce((sum, { minor }) => sum + minor, 0n),
    };
  });
}

export const getTrialBalance = {
  operationId: 'getTrialBalance',
  method: 'get',
  path: '/platform/trial-balance',
  tag,
  summary: "Read the trial balance of the platform's books",
  description:
    'An extension of the interface, for auditors: per currency, what each kind of account holds. The total is zero.',
  permission: ['VIEW'],
  responses: {
    200: { description: 'One line per currency.', schema: z.object({ data: z.array(trialBalanceSchema) }) },
  },
  errors: basicErrors(),
} as const satisfies Operation;
