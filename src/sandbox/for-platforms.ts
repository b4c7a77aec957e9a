/** The sandbox's outside world is for platforms of the sandbox: to those of production nobody is connected. */
import { noRail } from '../domain/ports/no-rail.ts';
import type { PaymentRail, RailPayment } from '../domain/ports/payment-rail.ts';
import { noScreening, type ScreeningOf } from '../domain/ports/screening.ts';
import type { EnvironmentOf } from '../use-cases/find/platform.ts';
import { sandboxScreening } from './screening.ts';

/** Takes payments of the sandbox's platforms to `sandbox`, and fails all others. */
export function railForPlatforms(environmentOf: EnvironmentOf, sandbox: PaymentRail): PaymentRail {
  const railOf = async ({ platformId }: RailPayment) =>
    (await environmentOf(platformId)) === 'sandbox' ? sandbox : noRail;
  return {
    ...sandbox,
    submit: async (payment) => (await railOf(payment)).submit(payment),
    endingOf: async (payment, stage) => (await railOf(payment)).endingOf(payment, stage),
  };
}

export const screeningForPlatforms =
  (environmentOf: EnvironmentOf): ScreeningOf =>
  async (platformId) =>
    (await environmentOf(platformId)) === 'sandbox' ? sandboxScreening : noScreening;
