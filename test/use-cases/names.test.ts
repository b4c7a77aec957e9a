import { describe, expect, it } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import { reactionsIn } from '../../src/domain/reactions/reactions.ts';
import { paymentAddressStream } from '../../src/domain/reservations/reservation.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import { createSealer } from '../../src/infrastructure/secrets/sealing.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import { applyChanges } from '../../src/use-cases/customers/apply-changes.ts';
import { createCustomer } from '../../src/use-cases/customers/create.ts';
import { registerExternalAccount } from '../../src/use-cases/external-accounts/register.ts';
import { takeName } from '../../src/use-cases/names.ts';
import { customerDetails, platformDetails } from '../support/builders/customers.ts';
import { customerId, platformId } from '../support/builders/identities.ts';
import { externalAccountDetails } from '../support/builders/registered-accounts.ts';
import { domainEvent } from '../support/log/domain-events.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { watchedEventStore } from '../support/log/watched-event-store.ts';
import { msLater } from '../support/time/clock.ts';
import { sequentialIds, uuidNumber } from '../support/values/ids.ts';

const hourMs = 3_600_000;
/** More appends than any of these requests makes. */
const steps = Array.from({ length: 12 }, (_, n) => n);
const umaAddress = '$lin@pay.example';
const address = paymentAddressStream(umaAddress);
const sealer = createSealer({ current: Buffer.alloc(32, 1).toString('base64') });
const cause = { platformId, correlationId: 'request', causationId: 'request', actor: 'test' };
const rail = {
  checkName: async () => undefined,
  statusOfNew: async () => 'ACTIVE' as const,
  isOwnAccount: () => false,
};

type Log = ReturnType<typeof memoryEventStore>;

/** A process with a clock of its own, on a log that it shares with others. */
function processOn(store: EventStore, idsFrom: number, aheadMs = 0) {
  const now = () => msLater(aheadMs);
  const { uuid } = sequentialIds(idsFrom);
  const commands = createDispatcher({ store, newEventId: uuid, now }, aggregates, reactionsIn('sandbox'));
  const attempt = { cause, uuidFor: uuid, isKeyed: false };
  return { commands, sealer, rail, now, attempt };
}
type Process = ReturnType<typeof processOn>;

async function startLog(): Promise<Log> {
  const log = memoryEventStore();
  const { commands } = processOn(log, 100);
  const details = platformDetails();
  await commands.run('platform', uuidOf(platformId), { type: 'CreatePlatform', details }, cause);
  return log;
}

const person = (fullName: string) =>
  ({ customerType: 'INDIVIDUAL', umaAddress, platformCustomerId: 'lin', region: 'US', fullName }) as const;
const createOn = (on: Process, fullName = 'Lin') =>
  createCustomer(on, platformId, person(fullName), on.attempt);
const { accountInfo, currency } = externalAccountDetails();
const asked = { customerId, currency, accountInfo, defaultUmaDepositAccount: false };
const registerOn = (on: Process) => registerExternalAccount(on, platformId, asked, on.attempt);

/** Runs `work` on a log where something else happens before one of the appends; `false` where there are fewer. */
async function withInterruption<T>(
  log: Log,
  step: number,
  other: () => Promise<unknown>,
  work: (store: EventStore) => Promise<T>,
) {
  let n = 0;
  const beforeAppend = async () => {
    if (n++ === step) await other();
  };
  const [outcome] = await Promise.allSettled([work(watchedEventStore(log, { beforeAppend }))]);
  return { outcome, wasInterrupted: n > step };
}

/** Every event followed once more, by a process that remembers nothing. */
async function followAll(log: Log): Promise<void> {
  const { commands } = processOn(log, 90_000);
  for (const stored of [...log.all]) await commands.react(domainEvent(stored), {});
}

/** Those who have the address, by their own record. */
async function holdersOf(log: Log): Promise<readonly string[]> {
  await followAll(log);
  const { commands } = processOn(log, 95_000);
  const uuids = new Set(
    log.all.filter(({ stream }) => stream.startsWith('customer-')).map(({ stream }) => stream.slice(9)),
  );
  const states = await Promise.all([...uuids].map((uuid) => commands.load('customer', uuid)));
  return states.flatMap((state) =>
    state.status === 'active' && state.umaAddress === umaAddress ? [state.customerId] : [],
  );
}

async function confirmedHolder(log: Log): Promise<string | undefined> {
  const held = await processOn(log, 96_000).commands.load('reservation', address);
  if (held.status !== 'held') return undefined;
  return [...held.claims.values()].some(({ confirmed }) => confirmed) ? held.holder : undefined;
}

describe('a name that two requests want', () => {
  it.each(steps)('has one holder when the other, an hour ahead, comes before append %d', async (step) => {
    const log = await startLog();
    let second: Promise<unknown> = Promise.resolve();
    const other = () => {
      second = createOn(processOn(log, 50_000, hourMs), 'Other');
      return second.catch(() => undefined);
    };
    const { outcome } = await withInterruption(log, step, other, (store) =>
      createOn(processOn(store, 1_000)),
    );
    const answers = [outcome, ...(await Promise.allSettled([second]))];
    const created = answers.flatMap((one) =>
      one?.status === 'fulfilled' && one.value ? [(one.value as { customerId: string }).customerId] : [],
    );
    expect(created).toHaveLength(1);
    expect(await holdersOf(log)).toEqual(created);
    expect(await confirmedHolder(log)).toBe(created[0]);
  });

  it.each(steps)('has one holder when it is given to a customer, before append %d', async (step) => {
    const log = await startLog();
    const { commands } = processOn(log, 200);
    const details = customerDetails();
    const { state } = await commands.run(
      'customer',
      uuidOf(customerId),
      { type: 'CreateCustomer', details },
      cause,
    );
    if (state.status === 'none') throw new Error('not created');
    let second: Promise<unknown> = Promise.resolve(undefined);
    const other = () => {
      second = createOn(processOn(log, 50_000, hourMs), 'Other');
      return second.catch(() => undefined);
    };
    const { outcome, wasInterrupted } = await withInterruption(log, step, other, (store) => {
      const on = processOn(store, 1_000);
      return applyChanges(
        on.commands,
        state,
        { changes: { umaAddress }, claim: 'claim', at: on.now() },
        cause,
      );
    });
    const [created] = await Promise.allSettled([second]);
    const holders = await holdersOf(log);
    expect(holders).toHaveLength(1);
    expect(outcome?.status === 'fulfilled').toBe(holders[0] === customerId);
    if (wasInterrupted) expect(created?.status === 'fulfilled').toBe(holders[0] !== customerId);
    expect(await confirmedHolder(log)).toBe(holders[0]);
  });

  it.each(steps)('is registered once when the other, an hour ahead, comes before append %d', async (step) => {
    const log = await startLog();
    const answers: PromiseSettledResult<unknown>[] = [];
    const other = async () => {
      answers.push(...(await Promise.allSettled([registerOn(processOn(log, 50_000, hourMs))])));
    };
    const { outcome } = await withInterruption(log, step, other, (store) =>
      registerOn(processOn(store, 1_000)),
    );
    if (outcome) answers.push(outcome);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(log.all.filter(({ type }) => type === 'ExternalAccountCreated')).toHaveLength(1);
  });
});

/** Kills the process after one of its appends. */
async function killAfter(
  log: Log,
  step: number,
  work: (store: EventStore) => Promise<unknown>,
): Promise<void> {
  let n = 0;
  const beforeAppend = () => {
    if (n++ > step) throw new Error('killed');
  };
  await work(watchedEventStore(log, { beforeAppend })).catch(() => undefined);
}

describe('a request that was cut short', () => {
  it.each([0, 1])('goes on at once when it comes again, after append %d', async (step) => {
    const log = await startLog();
    await killAfter(log, step, (store) => createOn(processOn(store, 1_000)));
    const again = await createOn(processOn(log, 50_000));
    expect(await holdersOf(log)).toEqual([again.customerId]);
    expect(await confirmedHolder(log)).toBe(again.customerId);
  });

  it('is the same again only with the same body', async () => {
    const log = await startLog();
    await killAfter(log, 1, (store) => createOn(processOn(store, 1_000)));
    await expect(createOn(processOn(log, 50_000), 'Somebody Else')).rejects.toMatchObject({
      code: 'UMA_ADDRESS_EXISTS',
      message: expect.stringContaining('is free in 60 seconds'),
      details: { retryAfterSeconds: 60 },
    });
    const later = await createOn(processOn(log, 60_000, 60_001), 'Somebody Else');
    expect(await holdersOf(log)).toEqual([later.customerId]);
  });

  it('with a key is told by its key, and by nothing else', async () => {
    const log = await startLog();
    const keyed = (idsFrom: number, uuid: string) => {
      const on = processOn(log, idsFrom);
      return { ...on, attempt: { ...on.attempt, uuidFor: () => uuid, isKeyed: true } };
    };
    const uuid = uuidNumber(777);
    await killAfter(log, 1, (store) => {
      const on = keyed(1_000, uuid);
      return createOn({ ...on, commands: processOn(store, 1_000).commands });
    });
    await expect(createOn(keyed(50_000, uuidNumber(778)))).rejects.toMatchObject({
      code: 'UMA_ADDRESS_EXISTS',
    });
    await expect(createOn(processOn(log, 51_000))).rejects.toMatchObject({ code: 'UMA_ADDRESS_EXISTS' });
    const again = await createOn(keyed(52_000, uuid));
    expect(again.customerId).toBe(idOf('Customer', uuid));
    expect(await holdersOf(log)).toEqual([again.customerId]);
  });

  it('registers its account at once when it comes again', async () => {
    const log = await startLog();
    await killAfter(log, 0, (store) => registerOn(processOn(store, 1_000)));
    await registerOn(processOn(log, 50_000));
    expect(log.all.filter(({ type }) => type === 'ExternalAccountCreated')).toHaveLength(1);
  });

  it('is told what it has in common with the same that overtakes it', async () => {
    const log = await startLog();
    const { umaAddress: _none, ...withoutAddress } = person('Lin');
    const create = (on: Process) => createCustomer(on, platformId, withoutAddress, on.attempt);
    const { outcome } = await withInterruption(
      log,
      2,
      () => create(processOn(log, 50_000)),
      (store) => create(processOn(store, 1_000)),
    );
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'CONFLICT',
        message: 'The platformCustomerId lin belongs to another active customer.',
      },
    });
  });

  it('is refused where it goes on after another was given its name, and holds nothing', async () => {
    const log = await startLog();
    const other = () => createOn(processOn(log, 50_000, hourMs), 'Other');
    const first = withInterruption(log, 2, other, (store) => createOn(processOn(store, 1_000)));
    const { outcome } = await first;
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UMA_ADDRESS_EXISTS' } });
    expect(await holdersOf(log)).toHaveLength(1);
  });
});

describe('a name that is let go of while somebody else is refused', () => {
  it('goes to them: a refusal says how it is, not how it was', async () => {
    const { commands, now } = processOn(await startLog(), 200);
    const [former, other] = [idOf('Customer', uuidNumber(301)), idOf('Customer', uuidNumber(302))];
    const taken = { code: 'UMA_ADDRESS_EXISTS', message: 'It is taken.' } as const;
    const wantedBy = (holder: string) => ({ holder, at: now(), taken });
    const name = { reservation: address };
    await takeName(commands, name, wantedBy(former), cause);
    const letGo = { type: 'ReleaseName', holder: former, at: now() } as const;
    const load: typeof commands.load = async (...asked) => {
      await commands.run('reservation', address, letGo, cause);
      return commands.load(...asked);
    };
    await takeName({ ...commands, load }, name, wantedBy(other), cause);
    expect(await commands.load('reservation', address)).toMatchObject({ status: 'held', holder: other });
  });
});
