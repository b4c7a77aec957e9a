/** The sandbox's outside world is for platforms of the sandbox: to those of production nobody is connected. */
import type { Environment } from '../domain/platforms/events.ts';
import { noRail } from '../domain/ports/no-rail.ts';
import type { PaymentRail, RailPayment } from '../domain/ports/payment-rail.ts';
import { noScreening, type ScreeningOf } from '../domain/ports/screening.ts';
import type { EnvironmentOf } from '../use-cases/find/platform.ts';
import { sandboxScreening } from './screening.ts';

/** Takes payments of the sandbox's platforms to `sandbox`, and fails all others. */
export function railForPlatforms(environmentOf: EnvironmentOf, sandbox: PaymentRail): PaymentRail {
  const railOf = (environment: Environment) => (environment === 'sandbox' ? sandbox : noRail);
  const on = <Answer>({ platformId }: RailPayment, ask: (rail: PaymentRail) => Promise<Answer>) => {
    const environment = environmentOf(platformId);
    return typeof environment === 'string'
      ? ask(railOf(environment))
      : environment.then((found) => ask(railOf(found)));
  };
  return {
    ...sandbox,
    submit: (payment) => on(payment, (rail) => rail.submit(payment)),
    // Where the environment is not known yet, the payment is submitted like any other.
    takesAtOnce: (payment) =>
      environmentOf(payment.platformId) === 'sandbox' ? sandbox.takesAtOnce?.(payment) : undefined,
    endingOf: (payment, stage) => on(payment, (rail) => rail.endingOf(payment, stage)),
  };
}

export const screeningForPlatforms =
  (environmentOf: EnvironmentOf): ScreeningOf =>
  async (platformId) =>
    (await environmentOf(platformId)) === 'sandbox' ? sandboxScreening : noScreening;
