/** A company that pays its people by Daybook: on a day of the month, each once, from one account in dollars. */
import { type Daybook, DaybookError, type Schemas } from '@daybook/client';

export type Employee = {
  readonly name: string;
  readonly bank: { readonly accountNumber: string } | { readonly iban: string };
};

/** Somebody who can be paid, so much a month, in cents of the dollar. */
export type Hired = { readonly accountId: string; readonly currency: 'USD' | 'EUR'; readonly salary: number };

export type Payslip =
  | { readonly accountId: string; readonly transactionId: string }
  | { readonly accountId: string; readonly refusedWith: string };

export type Payroll = {
  /** Registers the bank account of an employee, paid in its currency. */
  hire(employee: Employee, salary: number): Promise<Hired>;
  /** Pays a month. Whoever has been paid for it is not paid again, whatever became of the run before. */
  pay(month: string, staff: readonly Hired[]): Promise<readonly Payslip[]>;
  /** Everything that was paid to somebody, latest first. */
  paidTo(employee: Hired): AsyncIterable<Schemas['Transaction']>;
};

export function payrollOn(client: Daybook, companyAccountId: string): Payroll {
  const payOne = async (month: string, { accountId, currency, salary }: Hired): Promise<Payslip> => {
    const idempotencyKey = `salary-${month}-${accountId}`;
    const source = { accountId: companyAccountId };
    const destination = { accountId };
    try {
      if (currency === 'USD') {
        const body = { source, destination, amount: salary };
        const { id } = await client.transferOut({ idempotencyKey, body });
        return { accountId, transactionId: id };
      }
      const { transactionId } = await client.createQuote({
        idempotencyKey,
        body: {
          source,
          destination: { ...destination, destinationType: 'ACCOUNT' },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: salary,
          immediatelyExecute: true,
        },
      });
      return { accountId, transactionId };
    } catch (error) {
      if (error instanceof DaybookError) return { accountId, refusedWith: error.code };
      throw error;
    }
  };
  return {
    async hire(employee, salary) {
      const { id, currency } = await client.createPlatformExternalAccount({ body: bankOf(employee) });
      return { accountId: id, currency: currency === 'EUR' ? 'EUR' : 'USD', salary };
    },
    async pay(month, staff) {
      const payslips: Payslip[] = [];
      for (const employee of staff) payslips.push(await payOne(month, employee));
      return payslips;
    },
    paidTo: ({ accountId }) => client.listTransactions({ query: { receiverAccountIdentifier: accountId } }),
  };
}

function bankOf({ name, bank }: Employee): Schemas['PlatformExternalAccountCreateRequest'] {
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: name } as const;
  if ('iban' in bank)
    return { currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT', iban: bank.iban, beneficiary } };
  const { accountNumber } = bank;
  return {
    currency: 'USD',
    accountInfo: { accountType: 'USD_ACCOUNT', accountNumber, routingNumber: '021000021', beneficiary },
  };
}
