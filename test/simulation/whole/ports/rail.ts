/**
 * The rails as a process reaches them: payouts in EUR leave through a bank's files, everything else by a rail that is asked.
 * Every call waits for its turn, and may end in many ways.
 */
import type { OwnRail } from '../../../../src/app/parts/rails.ts';
import type { PaymentRail, RailPayment } from '../../../../src/domain/ports/payment-rail.ts';
import { openFileRail } from '../../../../src/outside/iso20022/rail.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import { bankSettings } from './bank.ts';
import { questionsTo } from './questions.ts';

type Deps = { readonly turns: Turns; readonly faults: Faults };

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const isForBank = ({ kind, amount, counterparty }: RailPayment): boolean =>
  amount.currency === 'EUR' &&
  counterparty.kind === 'account' &&
  kind !== 'transfer-in' &&
  kind !== 'incoming';

type Rails = { readonly rail: PaymentRail; readonly folder: string; readonly newUuid: () => string };

export const railFor =
  (process: SimulatedProcess, { rail, folder, newUuid }: Rails, { turns, faults }: Deps): OwnRail =>
  async (reports) => {
    const bank = await openFileRail(bankSettings(folder), {
      reports,
      now: () => new Date(),
      log: silent,
      ids: { uuid: newUuid },
    });
    const question = questionsTo('rail', { turns, faults, look: () => undefined });
    const asked = <Answer>(ask: () => Promise<Answer>) => question({ process, ask });
    const of = (payment: RailPayment): PaymentRail => (isForBank(payment) ? bank : rail);
    return {
      ...rail,
      submit: (payment, options) => asked(() => of(payment).submit(payment, options)),
      withdraw: (payment, options) => asked(() => of(payment).withdraw(payment, options)),
      statusOf: (payment, options) => asked(() => of(payment).statusOf(payment, options)),
      watch: async (signal) => bank.watch?.(signal),
    };
  };
