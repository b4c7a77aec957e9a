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

/** What the company has written down of one salary, of one month. */
export type Written = {
  readonly salary: number;
  readonly begunAt: Date;
  /** Each attempt has a key of its own. */
  readonly attempt: number;
  /** For good, where its key is concerned. */
  readonly isRefused?: boolean;
  /** Once it is known. */
  readonly transactionId?: string;
};

export type Payer = {
  readonly accountId: string;
  /** Here a Map: a company has a table of its own in its place, which outlives the process that pays. */
  readonly salaries: Map<string, Written>;
  readonly now: () => Date | Promise<Date>;
};

export type Payroll = {
  /** Registers the bank account of an employee, paid in its currency. */
  hire(employee: Employee, salary: number): Promise<Hired>;
  /** Pays a month. Whoever has been paid for it is not paid again, whatever became of the run before, and however long ago. */
  pay(month: string, staff: readonly Hired[]): Promise<readonly Payslip[]>;
  /** Everything that was paid to somebody, latest first. */
  paidTo(employee: Hired): AsyncIterable<Schemas['Transaction']>;
};

const hourMs = 3_600_000;
/** A key means the same payment for 24 hours. The last of them is left for repeats, and for clocks that differ. */
const keyIsGoodMs = 23 * hourMs;

export function payrollOn(client: Daybook, { accountId: companyAccountId, salaries, now }: Payer): Payroll {
  const paidTo = ({ accountId }: Hired) =>
    client.listTransactions({ query: { receiverAccountIdentifier: accountId } });

  /** The first payment since a salary was begun that is it by its amount, and is not that of another month. */
  const foundOf = async (name: string, employee: Hired, { salary, begunAt }: Written) => {
    const others = new Set(
      [...salaries].map(([other, { transactionId }]) => other !== name && transactionId),
    );
    let found: string | undefined;
    for await (const { id, createdAt, sentAmount } of paidTo(employee)) {
      if (Date.parse(createdAt) < begunAt.getTime() - hourMs) break;
      if (sentAmount?.amount === salary && sentAmount.currency.code === 'USD' && !others.has(id)) found = id;
    }
    return found;
  };

  /**
   * Written down before anything is sent. What was refused, or begun too long ago for its key, is looked for before it is
   * begun anew.
   */
  const begin = async (name: string, employee: Hired): Promise<Written> => {
    const begunAt = await now();
    const written = salaries.get(name);
    if (written?.transactionId) return written;
    const isGood = written && !written.isRefused;
    if (isGood && begunAt.getTime() - written.begunAt.getTime() < keyIsGoodMs) return written;
    const transactionId = written && (await foundOf(name, employee, written));
    const begun = transactionId
      ? { ...written, transactionId }
      : { salary: employee.salary, begunAt, attempt: (written?.attempt ?? 0) + 1 };
    salaries.set(name, begun);
    return begun;
  };

  /** The same payment however often it is sent, while its key is good. */
  const send = async (idempotencyKey: string, { accountId, currency }: Hired, amount: number) => {
    const source = { accountId: companyAccountId };
    const destination = { accountId };
    if (currency === 'USD')
      return (await client.transferOut({ idempotencyKey, body: { source, destination, amount } })).id;
    const { transactionId } = await client.createQuote({
      idempotencyKey,
      body: {
        source,
        destination: { ...destination, destinationType: 'ACCOUNT' },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: amount,
        immediatelyExecute: true,
      },
    });
    return transactionId;
  };

  const payOne = async (month: string, employee: Hired): Promise<Payslip> => {
    const { accountId } = employee;
    const name = `salary-${month}-${accountId}`;
    try {
      const begun = await begin(name, employee);
      const transactionId =
        begun.transactionId ??
        (await send(`${name}-${begun.attempt}`, employee, begun.salary).catch((error: unknown) => {
          if (isKept(error)) noteRefused(salaries, name, begun.attempt);
          throw error;
        }));
      salaries.set(name, { ...begun, transactionId });
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
    paidTo,
  };
}

/** Those of docs/reference/idempotency.md, and what came from something between. The same key may be answered otherwise. */
const notKept = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'UNKNOWN']);

/** Whether the key is answered so for a day. */
const isKept = (error: unknown): boolean =>
  error instanceof DaybookError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  !notKept.has(error.code);

/** Unless another run has gone on meanwhile. */
function noteRefused(salaries: Payer['salaries'], name: string, attempt: number): void {
  const written = salaries.get(name);
  if (written?.attempt === attempt && !written.transactionId)
    salaries.set(name, { ...written, isRefused: true });
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
