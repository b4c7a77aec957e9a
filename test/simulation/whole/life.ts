/** One life of a whole installation, from a seed: what its clients, its receivers, its tables and its log have of it. */
import type { Positions } from '../../../src/app/cli/commands/beside.ts';
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { postgresLogReader } from '../../../src/infrastructure/event-store/postgres/reader.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { readLog, readSealedLog } from '../../support/postgres/read-models.ts';
import type { Taken as TakenByRail } from '../rail.ts';
import { randomFrom } from '../random.ts';
import { type Followed, openAudience } from './acts/audience.ts';
import type { AllHoldings, Missed } from './acts/holdings.ts';
import { createWorkload } from './acts/workload.ts';
import { type Bug, type BugName, bugs } from './bugs.ts';
import { type Asked, type Backends, createBackends, platformNumbers } from './client.ts';
import { seedChance } from './engine/seeded-chance.ts';
import { faultsOfAudit } from './evidence/audited.ts';
import { differencesOfRebuild } from './evidence/rebuilt.ts';
import { type Rows, readRows } from './evidence/rows.ts';
import { type Timelines, timelinesOf } from './evidence/timelines.ts';
import { type Fault, faultsOf } from './faults.ts';
import type { Line } from './installation.ts';
import type { Arrived, Bank, Ordered } from './ports/bank.ts';
import type { Server } from './ports/database/postgres.ts';
import type { Outside } from './ports/elsewhere/outside.ts';
import type { OfRailService } from './ports/elsewhere/rail-service.ts';
import { type LogName, quietClient, storeOn } from './ports/log/place.ts';
import { copyOf } from './ports/log/server.ts';
import { codeOf, type Posted } from './ports/mails.ts';
import type { Answer } from './ports/network.ts';
import type { Taken } from './ports/receivers.ts';
import type { OfScreening } from './ports/screening.ts';
import { lifeBegins, type Template, templateOn } from './template.ts';
import { openWorld, untilResolved, type World } from './world.ts';

/** All that a life follows from. */
export type Script = {
  readonly seed: number;
  /** Which of the seed's steps are taken. */
  readonly steps: readonly number[];
  readonly without?: readonly Fault[];
  readonly bug?: BugName;
  /** In Postgres where it is not said. */
  readonly log?: LogName;
  /** At the ports of the service where it is not said. */
  readonly outside?: Outside;
};

/** After a step so many things happen before the next one, at the most. */
const betweenMax = 60;

export type Evidence = {
  readonly struck: ReadonlyMap<Fault, number>;
  /** What was asked for under a key, with all that was said to it. */
  readonly asked: readonly Asked[];
  readonly missed: readonly Missed[];
  readonly holdings: AllHoldings;
  /** What who follows the events of a platform was told, by its number. */
  readonly heard: readonly Followed[];
  /** The answers to who looks at everything at the end, by path. */
  readonly seen: readonly Seen[];
  /** What receivers of webhooks, and the rail, were told. */
  readonly received: readonly Taken[];
  readonly taken: TakenByRail;
  /** What the rail has told by itself, where it is asked over a network. */
  readonly toldByRail: OfRailService;
  /** What the bank was ordered to pay, what arrived there, and what Daybook has put aside of its files. */
  readonly bank: { readonly ordered: readonly Ordered[]; readonly arrived: readonly Arrived[] } & ReturnType<
    Bank['aside']
  >;
  /** What the mail server has taken. */
  readonly mails: readonly Posted[];
  /** Whom the screening was shown, and the verdicts that were taken from it. */
  readonly screening: OfScreening;
  readonly lines: readonly Line[];
  readonly rows: Rows;
  /** Where the read models differ from those that are built anew. */
  readonly rebuilt: readonly string[];
  /** What an operator is told who verifies the log with its read models. */
  readonly audited: readonly string[];
  readonly stored: readonly StoredEvent[];
  /** What is between those of its events. */
  readonly positions: Positions;
  /** The log as it is seen at the end. */
  readonly finished: readonly DomainEvent[];
  readonly timelines: Timelines;
  readonly isSettled: boolean;
  /** What comes after this position in the log came of this life. */
  readonly begins: bigint;
};
export type Seen = {
  readonly by: number;
  readonly path: string;
  readonly answer: Answer | undefined;
  /** What the console is told, where it was asked as well. */
  readonly atDesk?: Answer | undefined;
};

let lives = 0;

export async function live(
  server: Server,
  { seed, steps, without, bug, log: where = 'postgres', outside }: Script,
): Promise<Evidence> {
  const template = await templateOn(server, where);
  const positions = where === 'postgres' ? 'dense' : 'growing';
  const log = template.log && copyOf(template.log);
  const open = () => storeOn(databaseUrl, log && quietClient(log));
  const name = `life_${++lives}`;
  const databaseUrl = await server.create(name, template.name);
  const random = randomFrom(seed);
  const planted: Bug = bug ? bugs[bug] : {};
  const faults = faultsOf(random, without, planted.chances);
  const chance = seedChance(seed);
  let world: World | undefined;
  try {
    world = await openWorld({
      begins: lifeBegins,
      databaseUrl,
      log,
      control: (now) => server.control(name, now),
      random,
      faults,
      decide: () => random.pick([{}, {}, undefined]),
      planted,
      outside,
    });
    const played = await play(world, template, { steps, planted });
    const mails = world.mailServer.posted;
    const rows = await readRows(world.control, {
      erased: played.holdings.flatMap(({ erased }) => erased),
      codes: mails.map(codeOf),
    });
    const { ordered, arrived } = world.bank;
    const bank = { ordered, arrived, ...world.bank.aside() };
    await world.end();
    const stored = await readSealedLog(databaseUrl, open());
    const { rail, farRail, receivers, lines, screening } = world;
    const { taken } = rail;
    world = undefined;
    const received = receivers.taken;
    const timelines = timelinesOf((await readLog(databaseUrl, open())).map(domainEvent));
    const finished = timelines.at(stored.at(-1)?.position ?? 0n);
    const audited = await faultsOfAudit(
      databaseUrl,
      log ? await open() : postgresLogReader(databaseUrl),
      positions,
    );
    const rebuilt = await differencesOfRebuild(databaseUrl, open);
    return {
      ...played,
      begins: template.last,
      rows,
      rebuilt,
      audited,
      stored,
      positions,
      finished,
      timelines,
      received,
      taken,
      toldByRail: farRail ?? { endings: [], arrivals: [], complaints: [] },
      bank,
      mails,
      screening,
      lines,
      struck: faults.struck,
    };
  } finally {
    await world?.end();
    chance.end();
    await server.drop(name);
  }
}

type Plot = { readonly steps: readonly number[]; readonly planted: Bug };

async function play(world: World, template: Template, { steps, planted }: Plot) {
  const { random, until } = world;
  await world.begin();
  const backends = createBackends(world, planted);
  const holdings = structuredClone(template.holdings);
  const workload = createWorkload(backends, world, holdings, planted.about);
  const audience = openAudience(backends, template.last);
  const underWay = new Set<Promise<void>>();
  for (const n of steps) {
    random.restart(n);
    const action = workload.step().finally(() => underWay.delete(action));
    underWay.add(action);
    for (let left = random.below(betweenMax); left > 0; left--) await world.happen();
  }
  // Whoever is killed again and again may take for ever: all comes to an end once nothing fails any more.
  const calmFrom = world.time.now() + endureMs;
  await until(() => underWay.size === 0 || world.time.now() > calmFrom);
  world.calm();
  await until(() => underWay.size === 0);
  await untilResolved(workload.rest(), until);
  const hasSettled = await world.settled();
  await untilResolved(workload.tryInVain(), until);
  const seen = await untilResolved(lookAtAll(backends, workload, holdings), until);
  await untilResolved(audience.leave(), until);
  // Processes write by themselves that a token was used: the rows are read once that is followed, and while nothing goes on.
  const isSettled = hasSettled && (await world.settled());
  return {
    asked: backends.asked,
    missed: workload.missed,
    holdings,
    heard: audience.heard(),
    seen,
    isSettled,
  };
}

/** So long what is under way goes on after the last step while everything fails that can. */
const endureMs = 120_000;
const firstPage = '/transactions?limit=10';

/** What each platform sees of what is its own once all is over. */
async function lookAtAll(
  { read }: Backends,
  { openDesk }: ReturnType<typeof createWorkload>,
  holdings: AllHoldings,
) {
  const seen: Seen[] = [];
  for (const by of platformNumbers) {
    const { customers, transactions, undone } = holdings[by];
    for (const id of [...transactions, ...undone]) {
      const path = `/transactions/${id}`;
      seen.push({ by, path, answer: await read(by, path) });
    }
    const cookie = (await openDesk(by)) ?? '';
    for (const { id } of customers) {
      const path = `/customers/internal-accounts?customerId=${id}`;
      seen.push({ by, path, answer: await read(by, path), atDesk: await read(by, path, { cookie }) });
    }
    for (let path: string | undefined = firstPage; path; ) {
      const answer = await read(by, path);
      seen.push({ by, path, answer });
      const { hasMore, nextCursor } = answer?.body ?? {};
      path = hasMore ? `${firstPage}&cursor=${nextCursor}` : undefined;
    }
  }
  return seen;
}
