/** A bank at the other end of the folder, and Daybook's end of it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Ending, RailPayment } from '../../../src/domain/ports/payment-rail.ts';
import type { Arrival, ArrivedMoney, RailReports } from '../../../src/domain/ports/rail-module.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { type FileRail, openFileRail } from '../../../src/outside/iso20022/rail.ts';
import type { Settings } from '../../../src/outside/iso20022/settings.ts';
import { validAccountInfo } from '../builders/external-accounts.ts';
import { railPayment } from '../builders/rail-payments.ts';
import { externalAccountDetails } from '../builders/registered-accounts.ts';
import { testStart } from '../time/clock.ts';
import { euroAccount, sterlingAccount } from './messages.ts';

export const asked = { signal: new AbortController().signal };

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bank-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const bankSettings = (folder: string, more: Partial<Settings> = {}): Settings => ({
  folder,
  initiatingParty: 'Daybook Ltd',
  accounts: [
    { currency: 'EUR', iban: euroAccount, name: 'Daybook Ltd', bic: 'COBADEFFXXX', serviceLevel: 'SEPA' },
    { currency: 'GBP', iban: sterlingAccount, name: 'Daybook Ltd' },
  ],
  orderVersion: 'pain.001.001.09',
  orderTransfersMax: 10,
  everySeconds: 15,
  schemas: undefined,
  fileBytesMax: 1_000_000,
  ...more,
});

/** Everything that the rail told, in order. */
export type Told = {
  readonly endings: (readonly [paymentId: string, ending: Ending])[];
  readonly arrivals: ArrivedMoney[];
  readonly lines: string[];
  /** What stands beside the lines, as text. */
  readonly fields: string[];
};

type Way = {
  readonly settings?: Partial<Settings>;
  readonly folder?: string;
  /** What Daybook answers to money that arrived: credited, unless it says otherwise. */
  readonly arrival?: (money: ArrivedMoney) => Arrival;
  /** And to a payment that ended: recorded. */
  readonly became?: Awaited<ReturnType<RailReports['ended']>>;
  /** What happens besides as a payment ends. */
  readonly onEnding?: () => void;
  readonly now?: () => Date;
};

const credited: Arrival = {
  status: 'credited',
  transactionId: idOf('Transaction', '00000000-0000-4000-8000-000000000009'),
};

export async function openBank({
  settings,
  folder = temporaryFolder(),
  arrival = () => credited,
  became = 'recorded',
  onEnding = () => undefined,
  now = () => testStart,
}: Way = {}) {
  const told: Told = { endings: [], arrivals: [], lines: [], fields: [] };
  const reports: RailReports = {
    async ended(paymentId, ending) {
      told.endings.push([paymentId, ending]);
      onEnding();
      return became;
    },
    news: async () => undefined,
    async arrived(money) {
      told.arrivals.push(money);
      return arrival(money);
    },
  };
  const write = (fields: unknown, message: string): void => {
    told.lines.push(message);
    told.fields.push(inspect(fields));
  };
  const log = { info: write, warn: write, error: write };
  const rail = await openFileRail(bankSettings(folder, settings), { reports, now, log });
  return { rail, told, folder, ...files(folder, rail) };
}

function files(folder: string, rail: FileRail) {
  const names = (part: string) =>
    readdirSync(join(folder, part))
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  const read = (part: string, name: string) => readFileSync(join(folder, part, name), 'utf8');
  /** A file is read at the second turn that finds it as it was. */
  const turns = async () => {
    await rail.turn(asked.signal);
    await rail.turn(asked.signal);
  };
  const cases = () => names('unmatched').map((name) => JSON.parse(read('unmatched', name)) as Case);
  return {
    names,
    read,
    turns,
    orders: () => names('out').map((name) => read('out', name)),
    /** What an operator has to look at. */
    cases,
    /** Why, of each. */
    whys: () => cases().map(({ why }) => why),
    async deliver(text: string | Uint8Array, name = 'from-bank.xml') {
      writeFileSync(join(folder, 'in', name), text);
      await turns();
    },
  };
}

type Case = { readonly why: string; readonly [detail: string]: unknown };

export const paymentIdOf = (n: number) =>
  idOf('Transaction', `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
export const endToEndIdOf = (n: number) => `00000000000040008000${String(n).padStart(12, '0')}`;

export const payeeIban = 'NL91ABNA0417164300';

/** A payout of 12.34 in EUR. */
export const euroPayment = (n = 1, more: Partial<RailPayment> = {}): RailPayment =>
  railPayment({
    paymentId: paymentIdOf(n),
    amount: { minor: 1_234n, currency: 'EUR' },
    reference: `TO${String(n).padStart(14, '0')}`,
    counterparty: payee('EUR_ACCOUNT', { iban: payeeIban }),
    ...more,
  });

export const sterlingPayment = (n = 1): RailPayment =>
  euroPayment(n, { amount: { minor: 1_234n, currency: 'GBP' }, counterparty: payee('GBP_ACCOUNT') });

export const payee = (
  accountType: Parameters<typeof validAccountInfo>[0],
  fields: Parameters<typeof validAccountInfo>[1] = {},
): RailPayment['counterparty'] => ({
  kind: 'account',
  account: externalAccountDetails({ accountInfo: validAccountInfo(accountType, fields) }),
});

/** A bank with payments that have left in an order. */
export async function bankThatHas(payments: readonly RailPayment[], way: Way = {}) {
  const bank = await openBank(way);
  for (const payment of payments) await bank.rail.submit(payment, asked);
  await bank.rail.turn(asked.signal);
  return bank;
}
