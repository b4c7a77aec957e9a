/** What a simulated rail remembers of payments, as long as the process lives and there is room. */

import type { RailPayment } from '../domain/ports/payment-rail.ts';
import { rememberNewest } from '../infrastructure/remembered/newest.ts';
import type { PlatformId } from '../kernel/ids.ts';

/** Long enough for a process that asks before it submits again. */
const rememberedMax = 10_000;

type Which = Pick<RailPayment, 'platformId' | 'paymentId'>;

export type RememberedPayments<Value> = {
  readonly get: (payment: Which) => Value | undefined;
  readonly set: (payment: Which, value: Value) => void;
  readonly delete: (payment: Which) => void;
  /** Of a platform that was put back: with a seed, what it does anew has the identifiers of what is gone. */
  readonly forget: (platformId: PlatformId) => void;
};

export function rememberedPayments<Value extends object>(): RememberedPayments<Value> {
  const values = rememberNewest<string, Value>(rememberedMax);
  const keyOf = ({ platformId, paymentId }: Which) => `${platformId} ${paymentId}`;
  return {
    get: (payment) => values.get(keyOf(payment)),
    set: (payment, value) => void values.set(keyOf(payment), value),
    delete: (payment) => void values.delete(keyOf(payment)),
    forget(platformId) {
      for (const key of [...values.keys()]) if (key.startsWith(`${platformId} `)) values.delete(key);
    },
  };
}
