import {
  type ConnectedScreening,
  noScreening,
  type ScreeningReports,
  type Verdict,
  verdicts,
} from '../../domain/ports/screening.ts';
import { type Log, logOfOutside } from '../../infrastructure/observe/log.ts';
import { seldom } from '../../infrastructure/observe/seldom.ts';
import { throwAsStoreAway } from '../../infrastructure/postgres/away.ts';
import { saysNo } from '../../kernel/rejected.ts';
import { screeningForPlatforms } from '../../outside/for-platforms.ts';
import { httpScreening } from '../../outside/http-screening.ts';
import { connectModule } from '../../outside/module.ts';
import { sandboxScreening } from '../../sandbox/screening.ts';
import { boundedScreening, type ScreeningOf } from '../../use-cases/customers/bounded-screening.ts';
import { type Decided, decide } from '../../use-cases/customers/decide.ts';
import type { EnvironmentOf } from '../../use-cases/find/platform.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';

export type OpenScreening = {
  readonly screeningOf: ScreeningOf;
  readonly receive: ConnectedScreening['receive'] | undefined;
};

/** Made for what it reports to. */
export type OwnScreening = (reports: ScreeningReports) => ConnectedScreening;

type Given = { readonly environmentOf: EnvironmentOf; readonly ownScreening: OwnScreening | undefined };

/** Who checks customers. Throws an error that names the variable to change. */
export async function openScreening(
  core: Core,
  { environmentOf, ownScreening }: Given,
  closers: Closer[],
): Promise<OpenScreening> {
  const { config, log, metrics } = core;
  const { environment } = config;
  if (environment === 'sandbox' && !ownScreening) {
    const screeningOf = screeningForPlatforms(environmentOf, environment, sandboxScreening);
    return { screeningOf, receive: undefined };
  }
  const connected = ownScreening?.(reportsTo(core)) ?? (await connect(core));
  if (connected?.close) closers.push(async () => connected.close?.());
  const isToTell = seldom();
  const failed = (error: unknown) => {
    metrics.screeningFailed();
    if (isToTell()) log.error({ err: error, store: undefined }, 'the screening gave no answer');
  };
  const bounded = connected ? boundedScreening(connected, failed) : noScreening;
  return {
    screeningOf: screeningForPlatforms(environmentOf, environment, bounded),
    receive: connected?.receive && ((request) => connected.receive?.(request) ?? Promise.resolve(404)),
  };
}

const reportsTo = (core: Core): ScreeningReports =>
  createScreeningReports({
    decide: (verificationId, verdict) =>
      decide(core, verificationId, { verdict, by: 'screening' }).catch(throwAsStoreAway),
    log: core.log,
  });

async function connect(core: Core): Promise<ConnectedScreening | undefined> {
  const { config, ids, log, installationNow: now } = core;
  const { screening: place, screeningSettings: settings } = config.outside;
  if (!place) return undefined;
  const reports = reportsTo(core);
  if (place.kind === 'service') {
    const address = { url: place.url, secret: place.secret ?? '' };
    return httpScreening(address, { reports, newId: ids.uuid, now });
  }
  const context = { reports, settings, now, log: logOfOutside(log, 'screening') };
  const module = { variable: 'DAYBOOK_SCREENING', path: place.path };
  return connectModule(module, context, ['customer', 'owner']);
}

type Reporting = {
  readonly decide: (verificationId: string, verdict: Verdict) => Promise<Pick<Decided, 'isNew'>>;
  readonly log: Pick<Log, 'error'>;
};

/**
 * A screening that decides twice, and differently, has made a mistake, or has found something: the first decision stays, and
 * an operator is told. Throws while nobody can say.
 */
export const createScreeningReports = ({ decide, log }: Reporting): ScreeningReports => ({
  async decided(verificationId, verdict) {
    if (!verdicts.includes(verdict)) throw new Error('the screening says what is no verdict');
    try {
      const { isNew } = await decide(verificationId, verdict);
      return isNew ? 'recorded' : 'unchanged';
    } catch (error) {
      if (!saysNo(error)) throw error;
      if (error.code !== 'CONFLICT') return 'unknown';
      log.error({ verificationId, verdict }, 'the screening says otherwise than what was decided');
      return 'unchanged';
    }
  },
});
