/** What every role of a process rests on: log, commands, and what serves them. The tables have to be there. */
import {
  createCaughtUp,
  foundCheckpoints,
  loadBeginnings,
} from '../../../../projections/kept/checkpoints.ts';
import { listenForProgress } from '../../../../projections/projector/listen-for-progress.ts';
import type { Rates } from '../../../domain/money/rates.ts';
import type { DomainRecords } from '../../../domain/ports/domain-records.ts';
import { createPlatformTimes, type PlatformTimes } from '../../../infrastructure/clock/platform-times.ts';
import type { Closings } from '../../../infrastructure/closings/closings.ts';
import { createUntilAllShown, type UntilAllShown } from '../../../infrastructure/event-store/all-shown.ts';
import type { EventStoreDbClient } from '../../../infrastructure/event-store/eventstoredb.ts';
import type { LogSetBack } from '../../../infrastructure/event-store/postgres/seen.ts';
import { createProgress, type Progress } from '../../../infrastructure/event-store/progress.ts';
import { type IdempotencyStore, idempotencyStore } from '../../../infrastructure/http/once/idempotency.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import { textsAt } from '../../../infrastructure/outgoing/dns.ts';
import type { Waits } from '../../../infrastructure/postgres/pool.ts';
import type { MasterKeys } from '../../../infrastructure/secrets/sealing.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { createDocumentContents, type DocumentContents } from '../../../use-cases/documents/contents.ts';
import type { Config } from '../../config.ts';
import { createMetrics, type Metrics } from '../../metrics.ts';
import { listeningName } from '../../start/one-rail.ts';
import type { Closer } from '../closer.ts';
import { openCommands } from './commands.ts';
import { type CallersCredentials, openCredentials } from './credentials.ts';
import { openIds } from './ids.ts';
import { requireOwnLog } from './own-log.ts';
import { followPlatformClocks } from './platform-clocks.ts';
import { openShownLog, type ShownLog } from './shown-log.ts';
import { openStores, type Stores } from './stores.ts';
import { openWork, type Work, type WorkOverrides } from './work.ts';

const usualProjectionWaitMs = 2_000;

/** How long a process waits for what it rests on. In milliseconds. */
export const waitsOf = (patienceMs: number | undefined): { database: Waits; projectionMs: number } =>
  patienceMs === undefined
    ? { database: {}, projectionMs: usualProjectionWaitMs }
    : { database: { waitMaxMs: patienceMs, statementMaxMs: patienceMs }, projectionMs: patienceMs };

/** How far the read models are, and who may begin when they are there. */
type Following = {
  readonly progress: Progress;
  /** How far reactions have come, where this process is the one that reacts. */
  readonly reacted: Progress;
  /** A request, or a timer, waits this long for the read models to show what came before it. */
  readonly projectionWaitMs: number;
  readonly untilAllShown: UntilAllShown;
  /** Events up to this position are told to nobody. */
  readonly webhooksAfter: bigint;
  /** The tables were made from the log up to here: of what it has told before, their keys may be missing. */
  readonly madeAt: bigint;
  /** Whether the read models have come so far that deliveries and timers may begin. */
  readonly caughtUp: () => Promise<boolean>;
};

type Times = {
  readonly clock: Clock;
  readonly times: PlatformTimes;
  /** What the service itself does has this time: leases, credentials, limits, mails, what it says to other servers. */
  readonly installationNow: () => Date;
  /** Of the platform that something is done for: all that its objects are stamped and compared with. */
  readonly now: () => Date;
};

export type Core = Times &
  Stores &
  Omit<ShownLog, 'vault'> &
  Work &
  CallersCredentials &
  Following & {
    readonly config: Config;
    readonly ids: Ids;
    readonly log: Log;
    readonly metrics: Metrics;
    /** What this process remembers of people is read again: some were erased. */
    readonly forgetPersons: () => void;
    readonly closings: Closings;
    readonly domainRecords: DomainRecords;
    readonly commands: Commands;
    readonly rates: Rates;
    readonly idempotency: IdempotencyStore;
    readonly contents: DocumentContents;
  };

type CoreOverrides = WorkOverrides & {
  readonly unchained?: boolean;
  readonly ids?: Ids;
  readonly domainRecords?: DomainRecords;
  readonly patienceMs?: number | undefined;
  readonly logSetBack?: (error: LogSetBack) => void;
  readonly logClient?: (url: string) => EventStoreDbClient;
};

type Opened = {
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeys;
  readonly rates: Rates;
  readonly log: Log;
  readonly clock: Clock;
};

export async function openCore(
  config: Config,
  overrides: CoreOverrides,
  { databaseUrl, masterKeys, rates, log, clock }: Opened,
  closers: Closer[],
): Promise<Core> {
  const { patienceMs, logSetBack, logClient, domainRecords = { textsAt } } = overrides;
  const { database: patience, projectionMs: waitMs } = waitsOf(patienceMs);
  const metrics = createMetrics();
  const timed = timesOf(clock);
  const { times, installationNow } = timed;
  const listeningAs = listeningName(config);
  const where = { ...config, databaseUrl, listeningAs, patience, logSetBack, logClient };
  const stores = await openStores(where, { log, metrics, times }, closers);
  const { pool, readDb, lost, listening } = stores;
  const ids = overrides.ids ?? (await openIds(config.sandboxSeed, pool));
  const { vault, ...shown } = await openShownLog(config, stores, masterKeys, log);
  const { store, persons, moved } = shown;
  await requireOwnLog({ readDb, store }, config);
  await foundCheckpoints(readDb, () => store.last());
  const beginnings = await loadBeginnings(readDb);
  const { environment } = config;
  const deps = { ...stores, ...shown, vault, ids, times, installationNow, log, metrics, environment };
  const { closings, commands } = openCommands(deps, overrides);
  if (environment === 'sandbox') await followPlatformClocks({ readDb, listening, times, log });
  const work = await openWork(config, deps, overrides, closers);
  return {
    ...timed,
    ...stores,
    ...shown,
    ...work,
    ...openCredentials({ ...deps, commands }),
    ...followingOf({ readDb, listening, store, beginnings, waitMs }),
    config,
    ids,
    log,
    metrics,
    forgetPersons: () => {
      persons.forget();
      commands.forget();
    },
    closings,
    domainRecords,
    commands,
    rates,
    idempotency: idempotencyStore({
      pool,
      now: installationNow,
      requestMaxMs: config.requestMaxMs,
      seed: ids.seeded?.mark,
      lostUntil: () => latest(beginnings.deliveries, lost?.until()),
      takenBack: moved && {
        times: moved.generationOf,
        notMeanwhile: moved.beside,
      },
    }),
    contents: createDocumentContents({ pool, commands, ids, now: installationNow }),
  };
}

/** Up to where keys may be missing that the log has: tables were made since, or have lost rows. */
const latest = (made: bigint, lost = 0n): bigint => (made > lost ? made : lost);

function timesOf(clock: Clock): Times {
  const installationNow = () => clock.now();
  const times = createPlatformTimes(clock);
  return { clock, times, installationNow, now: times.now };
}

type Followed = Pick<Core, 'readDb' | 'listening' | 'store'> & {
  readonly beginnings: Awaited<ReturnType<typeof loadBeginnings>>;
  readonly waitMs: number;
};

function followingOf({ readDb, listening, store, beginnings, waitMs }: Followed): Following {
  const progress = createProgress();
  listenForProgress(listening, readDb, progress, store.last);
  return {
    progress,
    reacted: createProgress(),
    projectionWaitMs: waitMs,
    untilAllShown: createUntilAllShown(store, progress, waitMs),
    webhooksAfter: beginnings.webhooks,
    madeAt: beginnings.deliveries,
    caughtUp: createCaughtUp(readDb, beginnings.deliveries),
  };
}
