/** Payments that arrive and come back, as a platform has asked for it. */
import type { RailPayment } from '../../domain/ports/payment-rail.ts';
import type { SandboxRail } from '../rail.ts';
import { rememberedPayments } from '../remembered-payments.ts';
import type { Faults } from './faults.ts';
import type { Effect } from './rules.ts';

type Deps = { readonly faults: Faults; readonly nowOf: (platformId: string) => Date };

type Struck = { readonly effect: Effect | undefined };

export function railWithFaults(rail: SandboxRail, { faults, nowOf }: Deps): SandboxRail {
  /** Whether something struck them, so that they count once however often they are asked about. */
  const decided = rememberedPayments<Promise<Struck>>();
  const strike = (payment: RailPayment): Promise<Struck> => {
    const before = decided.get(payment);
    if (before) return before;
    const struck = faults
      .strike(payment.platformId, { target: 'payment', about: aboutOf(payment) })
      .then((effect) => ({ effect }));
    decided.set(payment, struck);
    struck.catch(() => decided.delete(payment));
    return struck;
  };
  return {
    ...rail,
    forget(platformId) {
      rail.forget(platformId);
      decided.forget(platformId);
    },
    async statusOf(payment, asked) {
      const status = await rail.statusOf(payment, asked);
      if (status.status !== 'settled') return status;
      const { paymentId, platformId, recorded } = payment;
      const isRecorded = recorded === 'settled';
      // Of another process the first answer may have been lost.
      const before =
        isRecorded || faults.hasReturns(platformId) ? await faults.returnOf(paymentId) : undefined;
      if (before) {
        // One that is asked about again before its time comes back then, and not sooner.
        const isDue = isRecorded && before <= nowOf(platformId);
        return isDue ? { status: 'returned', reason: 'OFFRAMP_FAILED' } : { ...status, checkAt: before };
      }
      if (!goesOut(payment)) return status;
      // Who is struck already has taken what may have been the last fault.
      if (isRecorded || !(faults.hasAny(platformId) || decided.get(payment))) return status;
      const { effect } = await strike(payment);
      if (effect?.kind !== 'RETURN_PAYMENT') return status;
      const at = new Date(nowOf(platformId).getTime() + effect.delayMs);
      return { ...status, checkAt: await faults.willReturn(platformId, paymentId, at) };
    },
  };
}

/** What comes in is credited to an account here, and does not come back. */
const goesOut = ({ kind, counterparty }: RailPayment): boolean =>
  kind === 'incoming' ? counterparty.kind === 'account' : kind !== 'transfer-in';

function aboutOf({ counterparty, amount, paymentRail }: RailPayment): readonly unknown[] {
  const outside =
    counterparty.kind === 'account' ? counterparty.account.externalAccountId : counterparty.umaAddress;
  return [outside, amount.currency, paymentRail];
}
