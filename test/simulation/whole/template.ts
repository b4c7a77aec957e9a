/** What every life begins with: a database in which the service has run before, with two platforms and customers of theirs. */
import { randomFrom } from '../random.ts';
import { type AllHoldings, nothing } from './acts/holdings.ts';
import { createWorkload } from './acts/workload.ts';
import { createBackends } from './client.ts';
import { seedChance } from './engine/seeded-chance.ts';
import { faultsOf } from './faults.ts';
import type { Server } from './ports/postgres.ts';
import { openWorld, untilResolved } from './world.ts';

const templateBegins = Date.parse('2026-11-02T09:00:00.000Z');
/** A minute after the service has first run. */
export const lifeBegins = templateBegins + 60_000;

const name = 'template_of_lives';
const seed = 1;
const templates = new WeakMap<Server, Promise<Template>>();

export type Template = {
  /** Of the database. */
  readonly name: string;
  /** What the platforms have in it. */
  readonly holdings: AllHoldings;
  /** Where its log ends. */
  readonly last: bigint;
};

/** It is made when it is asked for the first time. */
export function templateOn(server: Server): Promise<Template> {
  const known = templates.get(server) ?? make(server);
  templates.set(server, known);
  return known;
}

async function make(server: Server): Promise<Template> {
  const databaseUrl = await server.create(name);
  const random = randomFrom(seed);
  const faults = faultsOf(random);
  faults.stop();
  const chance = seedChance(seed);
  const control = (now: () => number) => server.control(name, now);
  const world = await openWorld({
    begins: templateBegins,
    databaseUrl,
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
  const [end] = await world.control.rows<{ last: string }>(
    'select max(position)::text as last from daybook_log.events',
  );
  await world.end();
  chance.end();
  for (const { customers, agents } of holdings)
    if (
      customers.some(({ wallet }) => wallet.sessions.length === 0) ||
      customers.length < 2 ||
      agents.length === 0
    )
      throw new Error('lives do not begin with all that they need');
  return { name, holdings, last: BigInt(end?.last ?? 0) };
}
