/** An outside world is for the platforms of one environment: to all others nobody is connected. */
import type { Environment } from '../domain/platforms/events.ts';
import { noRail } from '../domain/ports/no-rail.ts';
import type { PaymentRail, RailPayment } from '../domain/ports/payment-rail.ts';
import { noScreening } from '../domain/ports/screening.ts';
import type { BoundedScreening, ScreeningOf } from '../use-cases/customers/bounded-screening.ts';
import type { EnvironmentOf } from '../use-cases/find/platform.ts';

/** Takes payments of the environment's platforms to `connected`, and fails all others. */
export function railForPlatforms(
  environmentOf: EnvironmentOf,
  environment: Environment,
  connected: PaymentRail,
): PaymentRail {
  const railOf = (found: Environment) => (found === environment ? connected : noRail);
  const on = <Answer>({ platformId }: RailPayment, ask: (rail: PaymentRail) => Promise<Answer>) => {
    const found = environmentOf(platformId);
    return typeof found === 'string' ? ask(railOf(found)) : found.then((later) => ask(railOf(later)));
  };
  const { umaDomain } = connected;
  return {
    submit: (payment, asked) => on(payment, (rail) => rail.submit(payment, asked)),
    // Where the environment is not known yet, the payment is submitted like any other.
    takesAtOnce: (payment) =>
      environmentOf(payment.platformId) === environment ? connected.takesAtOnce?.(payment) : undefined,
    statusOf: (payment, asked) => on(payment, (rail) => rail.statusOf(payment, asked)),
    withdraw: (payment, asked) => on(payment, (rail) => rail.withdraw(payment, asked)),
    ...(umaDomain !== undefined && { umaDomain }),
    receiverAt: (umaAddress) => connected.receiverAt(umaAddress),
    ...(connected.isOwnAccount && { isOwnAccount: (info) => connected.isOwnAccount?.(info) ?? false }),
    checkName: (info, asked) => connected.checkName(info, asked),
    ...(connected.statusOfNew && {
      statusOfNew: async (info, asked) => (await connected.statusOfNew?.(info, asked)) ?? 'ACTIVE',
    }),
  };
}

/** The same of those who check customers. */
export const screeningForPlatforms =
  (environmentOf: EnvironmentOf, environment: Environment, connected: BoundedScreening): ScreeningOf =>
  async (platformId) =>
    (await environmentOf(platformId)) === environment ? connected : noScreening;
