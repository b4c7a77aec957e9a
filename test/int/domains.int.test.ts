/** Many platforms that want one domain at the same moment, over two processes on one log. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import { paymentDomainStream } from '../../src/domain/platforms/domains.ts';
import { reactionsIn } from '../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { idOf, type PlatformId, systemIds, uuidOf } from '../../src/kernel/ids.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import { configure } from '../../src/use-cases/platforms/configure.ts';
import { firstDomainOf } from '../../src/use-cases/platforms/domains.ts';
import { platformDetails, supported } from '../support/builders/customers.ts';
import { together } from '../support/http/concurrency.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

/** Processes on one log, whose clocks can be moved ahead. */
async function twoProcesses() {
  const { url, db: listDb } = await emptyBooks();
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const start = async () => {
    const store = await postgresEventStore(url, createLog('silent'));
    onTestFinished(() => store.close());
    const commands = createDispatcher(
      { store, newEventId: systemIds.uuid, now },
      aggregates,
      reactionsIn('sandbox'),
    );
    const domainRecords = { textsAt: async () => [] };
    // Of a process that dies before anything follows from what it has recorded.
    const silent = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, []);
    return { commands, silent, listDb, now, domainRecords, rail: {}, allowPrivateWebhooks: true };
  };
  const processes = [await start(), await start()] as const;
  const advance = (ms: number) => {
    ahead += ms;
  };
  return { through: (n: number) => processes[n % 2 === 0 ? 0 : 1], advance };
}

type Process = ReturnType<Awaited<ReturnType<typeof twoProcesses>>['through']>;

const causeOf = (platformId: PlatformId) => ({
  platformId,
  correlationId: 'test',
  causationId: 'test',
  actor: 'test',
});

async function newPlatform(deps: Process): Promise<PlatformId> {
  const platformId = idOf('Platform', randomUUID());
  const cause = causeOf(platformId);
  const umaDomain = await firstDomainOf(deps, platformId, cause);
  const details = platformDetails({
    platformId,
    umaDomain,
    supportedCurrencies: supported('USD'),
    at: deps.now(),
  });
  await deps.commands.run('platform', uuidOf(platformId), { type: 'CreatePlatform', details }, cause);
  return platformId;
}

const set = (deps: Process, platformId: PlatformId, umaDomain: string) =>
  configure(
    deps,
    { platformId, environment: 'sandbox' },
    { umaDomain },
    { cause: causeOf(platformId), uuidFor: () => randomUUID(), isKeyed: false },
  );

const domainOf = async ({ commands }: Process, platformId: PlatformId): Promise<string | undefined> => {
  const platform = await commands.load('platform', uuidOf(platformId));
  return platform.status === 'active' ? platform.umaDomain : undefined;
};

it('50 platforms that are created at once share no domain, and one has the default one', async () => {
  const { through } = await twoProcesses();
  const platforms = await together(50, (n) => newPlatform(through(n)));
  const domains = await together(50, async (n) => domainOf(through(n), platforms[n] ?? 'Platform:'));
  expect(new Set(domains).size).toBe(50);
  expect(domains.filter((domain) => domain === 'daybook.test')).toHaveLength(1);
});

it('50 platforms that set one domain at once have one winner', async () => {
  const { through } = await twoProcesses();
  const platforms = await together(50, (n) => newPlatform(through(n)));
  const sets = await Promise.allSettled(platforms.map((id, n) => set(through(n), id, 'pay.example')));
  const refusals = sets.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refusals).toHaveLength(49);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(Rejected);
    expect(refusal).toMatchObject({ code: 'CONFLICT' });
  }
  const domains = await together(50, async (n) => domainOf(through(n), platforms[n] ?? 'Platform:'));
  expect(domains.filter((domain) => domain === 'pay.example')).toHaveLength(1);
});

it.each(['comes at last', 'never comes'])(
  'a platform that leaves a domain keeps it for the hour, where the confirmation of its claim %s',
  async (which) => {
    const { through, advance } = await twoProcesses();
    const domain = 'left.example';
    const [former = 'Platform:', other = 'Platform:'] = await together(2, (n) => newPlatform(through(n)));
    const late = [{ ...through(0), commands: through(0).silent }, through(1)] as const;
    await set(late[0], former, domain);
    await set(late[1], former, 'next.example');
    advance(61_000);
    const refused = () => expect(set(late[1], other, domain)).rejects.toMatchObject({ code: 'CONFLICT' });
    await refused();
    if (which === 'comes at last') {
      const platform = await through(1).commands.load('platform', uuidOf(former));
      expect(platform).toMatchObject({ umaDomain: 'next.example' });
      await through(1).commands.resume('platform', uuidOf(former), () => true, { seen: () => undefined }, []);
    }
    advance(3_500_000);
    await refused();
    advance(100_000);
    await set(late[1], other, domain);
    expect(await domainOf(through(0), other)).toBe(domain);
  },
);

it('a platform that goes back to a domain at the moment when others take it shares it with nobody', async () => {
  const { through, advance } = await twoProcesses();
  const [former = 'Platform:', ...others] = await together(10, (n) => newPlatform(through(n)));
  for (let round = 0; round < 10; round++) {
    const domain = `round-${round}.example`;
    await set(through(0), former, domain);
    await set(through(0), former, `gone-${round}.example`);
    advance(3_600_000);
    const sets = [former, ...others].map((id, n) => set(through(n), id, domain));
    await Promise.allSettled(sets);
    const domains = await together(10, async (n) =>
      domainOf(through(n), [former, ...others][n] ?? 'Platform:'),
    );
    expect(domains.filter((one) => one === domain)).toHaveLength(1);
    const held = await through(0).commands.load('reservation', paymentDomainStream(domain));
    const holder = [former, ...others][domains.indexOf(domain)];
    expect(held).toMatchObject({ status: 'held', holder });
  }
});
