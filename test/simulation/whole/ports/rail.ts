/**
 * The rails as a process reaches them: payouts in EUR leave through a bank's files, everything else by a rail that is asked,
 * in the process or over a network, where that has whom it is about. Every call waits for its turn, and may end in many
 * ways.
 */
import type { OwnRail } from '../../../../src/app/parts/rails.ts';
import type { PaymentRail, RailPayment } from '../../../../src/domain/ports/payment-rail.ts';
import { openFileRail } from '../../../../src/outside/iso20022/rail.ts';
import { quietLog } from '../../../support/rails/rail-modules.ts';
import { isPulled } from '../../rail.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import { bankSettings } from './bank.ts';
import type { FarRail } from './elsewhere/rail-service.ts';
import { questionsTo } from './questions.ts';

type Deps = { readonly turns: Turns; readonly faults: Faults };

const isForBank = (payment: RailPayment): boolean =>
  payment.amount.currency === 'EUR' && payment.counterparty.kind === 'account' && !isPulled(payment);

type Rails = {
  readonly rail: PaymentRail;
  /** Over a network, where it is there. */
  readonly far: Pick<FarRail, 'of'> | undefined;
  readonly folder: string;
  readonly newUuid: () => string;
};

export const railFor =
  (process: SimulatedProcess, { rail, far, folder, newUuid }: Rails, { turns, faults }: Deps): OwnRail =>
  async (reports) => {
    const bank = await openFileRail(bankSettings(folder), {
      reports,
      now: () => new Date(),
      log: quietLog,
      ids: { uuid: newUuid },
    });
    const connected = far?.of(reports);
    const question = questionsTo('rail', { turns, faults, look: () => undefined });
    const near = <Answer>(ask: () => Promise<Answer>) => question({ process, ask });
    const asked = <Answer>(payment: RailPayment, ask: (of: PaymentRail) => Promise<Answer>) => {
      if (isForBank(payment)) return near(() => ask(bank));
      return connected && payment.counterparty.kind === 'account' ? ask(connected) : near(() => ask(rail));
    };
    return {
      ...rail,
      ...connected,
      receiverAt: rail.receiverAt,
      submit: (payment, options) => asked(payment, (of) => of.submit(payment, options)),
      withdraw: (payment, options) => asked(payment, (of) => of.withdraw(payment, options)),
      statusOf: (payment, options) => asked(payment, (of) => of.statusOf(payment, options)),
      watch: async (signal) => bank.watch?.(signal),
    };
  };
