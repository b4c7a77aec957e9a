import { z } from 'zod';
import type { listCustomerAccounts } from '../../../projections/models/internal-accounts.ts';
import type { LedgerBalance } from '../../../projections/models/ledger.ts';
import type { InternalAccountRow } from '../../../projections/tables/accounts.ts';
import { accountStatuses } from '../../domain/accounts/events.ts';
import { canBePaidIn, fundingInstructions } from '../../domain/accounts/funding-instructions.ts';
import { totalBalance } from '../../domain/accounts/held-credits.ts';
import { paymentInstructionSchema } from '../../domain/accounts/payment-instructions.ts';
import { isOpenToMoney } from '../../domain/accounts/status.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import type { Environment } from '../../domain/platforms/events.ts';
import { idField } from '../../kernel/ids.ts';
import { currencyAmountSchema, currencySchema, renderAmount } from '../fields/amounts.ts';
import { internalAccountType } from '../fields/enumerations.ts';
import { pageOf, present, renderPage, timestamp, wholeNumber } from '../fields/fields.ts';

export const internalAccountSchema = z
  .object({
    id: idField('InternalAccount'),
    customerId: idField('Customer')
      .optional()
      .meta({ description: "Absent for the platform's own account." }),
    type: internalAccountType,
    status: z.enum(accountStatuses),
    balance: currencyAmountSchema.meta({ description: 'What can be spent.' }),
    totalBalance: currencyAmountSchema.meta({
      description:
        'The `balance`, and what has arrived for the account and is held: while it is FROZEN, or has no room. At most what an int64 holds.',
    }),
    fundingPaymentInstructions: z.array(paymentInstructionSchema).meta({
      description: 'Where to pay in, while the account is ACTIVE: outside the sandbox no cryptocurrency.',
    }),
    privateEnabled: z.boolean().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'InternalAccount' });

export function renderInternalAccount(
  row: InternalAccountRow,
  environment: Environment,
): z.input<typeof internalAccountSchema> {
  const { balance, held, currency } = row;
  const isWallet = row.type === 'EMBEDDED_WALLET';
  const isPaidIn = !isWallet && isOpenToMoney(row.status) && canBePaidIn(currency, environment);
  return present({
    id: row.id,
    customerId: row.customer_id ?? undefined,
    type: row.type,
    status: row.status,
    balance: renderAmount({ minor: balance, currency }),
    totalBalance: renderAmount({ minor: totalBalance(balance, held), currency }),
    fundingPaymentInstructions: isPaidIn ? fundingInstructions(currency, row.id) : [],
    privateEnabled: isWallet ? row.private_enabled : undefined,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
}

/** Beside the data of an answer with balances. */
export const asOfSchema = {
  asOf: z.string().meta({
    description:
      'An extension: the position of the log up to which the figures hold. What was recorded after it is not in them.',
  }),
};

export const accountsPageSchema = pageOf(internalAccountSchema)
  .extend(asOfSchema)
  .meta({ id: 'InternalAccountPage' });

/** Of the platform itself, which are few. */
export const accountsSchema = z
  .object({ data: z.array(internalAccountSchema), ...asOfSchema })
  .meta({ id: 'InternalAccountList' });

export const renderAccountsPage = (
  page: Awaited<ReturnType<typeof listCustomerAccounts>>,
  environment: Environment,
) => ({
  ...renderPage(page, (row) => renderInternalAccount(row, environment)),
  asOf: page.asOf.toString(),
});

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

export const trialBalancesSchema = z
  .object({ data: z.array(trialBalanceSchema), ...asOfSchema })
  .meta({ id: 'TrialBalanceList' });

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
