/** What every life begins with: a database in which the service has run before, with two platforms and customers of theirs. */
import { type ServerLog, serverLog } from '../../support/servers/eventstoredb-server/log.ts';
import { randomFrom } from '../random.ts';
import { type AllHoldings, nothing } from './acts/holdings.ts';
import { createWorkload } from './acts/workload.ts';
import { createBackends } from './client.ts';
import { seedChance } from './engine/seeded-chance.ts';
import { faultsOf } from './faults.ts';
import type { Server } from './ports/database/postgres.ts';
import type { LogName } from './ports/log/place.ts';
import { openWorld, untilResolved } from './world.ts';

const templateBegins = Date.parse('2026-11-02T09:00:00.000Z');
/** A minute after the service has first run. */
export const lifeBegins = templateBegins + 60_000;

const seed = 1;
const templates = new WeakMap<Server, Map<LogName, Promise<Template>>>();

export type Template = {
  /** Of the database. */
  readonly name: string;
  /** What the platforms have in it. */
  readonly holdings: AllHoldings;
  /** The log where it is not in the database. */
  readonly log: ServerLog | undefined;
  /** Where its log ends. */
  readonly last: bigint;
};

/** It is made when it is asked for the first time. */
export function templateOn(server: Server, where: LogName): Promise<Template> {
  const byLog = templates.get(server) ?? new Map<LogName, Promise<Template>>();
  templates.set(server, byLog);
  const known = byLog.get(where) ?? make(server, where);
  byLog.set(where, known);
  return known;
}

async function make(server: Server, where: LogName): Promise<Template> {
  const name = `template_with_log_in_${where}`;
  const log = where === 'postgres' ? undefined : serverLog();
  const databaseUrl = await server.create(name);
  const random = randomFrom(seed);
  const faults = faultsOf(random);
  faults.stop();
  const chance = seedChance(seed);
  const control = (now: () => number) => server.control(name, now);
  const world = await openWorld({
    begins: templateBegins,
    databaseUrl,
    log,
    control,
    random,
    faults,
    decide: () => undefined,
  });
  await world.begin();
  await world.addPlatform(1);
  const holdings: AllHoldings = [nothing(), nothing()];
  const workload = createWorkload(createBackends(world), world, holdings);
  const settled = workload.openEndpoints().then(async () => {
    await workload.settle(0);
    await workload.settle(1);
  });
  await untilResolved(settled, world.until);
  await world.settled();
  await world.stop();
  const last = await world.control.logEnd();
  await world.end();
  chance.end();
  for (const { customers, agents } of holdings)
    if (
      customers.some(({ wallet }) => wallet.sessions.length === 0) ||
      customers.length < 2 ||
      agents.length === 0
    )
      throw new Error('lives do not begin with all that they need');
  return { name, holdings, log, last };
}
