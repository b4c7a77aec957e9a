/** The rail as a process reaches it: every call waits for its turn, and may end in many ways. */
import type { PaymentRail } from '../../../../src/domain/ports/payment-rail.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';

type Deps = { readonly turns: Turns; readonly faults: Faults };

export function railFor(process: SimulatedProcess, rail: PaymentRail, { turns, faults }: Deps): PaymentRail {
  let calls = 0;
  const turn = () =>
    new Promise<void>((resolve) => turns.wait({ name: `${process.name} rail ${++calls}`, process }, resolve));
  const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await turn();
    if (faults.strikes('rail hangs')) return new Promise(() => undefined);
    if (faults.strikes('rail gives no answer before it took it')) throw new Error('no answer');
    if (faults.strikes('rail asked twice')) await ask();
    const answer = await ask();
    await turn();
    if (faults.strikes('rail gives no answer after it took it')) throw new Error('no answer');
    return answer;
  };
  return {
    ...rail,
    submit: (payment, options) => asked(() => rail.submit(payment, options)),
    withdraw: (payment, options) => asked(() => rail.withdraw(payment, options)),
    statusOf: (payment, options) => asked(() => rail.statusOf(payment, options)),
  };
}
