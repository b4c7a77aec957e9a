/** The service without its edges: processes that run commands on one log, and die in the middle of it. */
import { isBeforeRail, timerOf } from '../../projections/models/timers.ts';
import type { Timer } from '../../projections/tables/transactions.ts';
import { aggregates, type DomainEvent, type Instruction } from '../../src/domain/aggregates.ts';
import { reactions } from '../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { type EventStore, WrongRevision } from '../../src/infrastructure/event-store/event-store.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import type { Commands } from '../../src/use-cases/commands.ts';
import { platformId } from '../support/builders/identities.ts';
import { steppableClock } from '../support/clock.ts';
import { domainEvent } from '../support/domain-events.ts';
import { sequentialIds } from '../support/ids.ts';
import { memoryEventStore } from '../support/memory-event-store.ts';
import { railsOf } from '../support/rails.ts';
import { watchedEventStore } from '../support/watched-event-store.ts';
import { fatefulRail } from './rail.ts';
import type { Random } from './random.ts';

class Crash extends Error {}

const crashChance = 0.02;
const cause = { platformId, correlationId: 'simulation', causationId: 'simulation', actor: 'simulation' };
/** Longer than anything takes that waits for its time. */
const longMs = 3_600_000;

export type Process = { readonly commands: Commands } & ReturnType<typeof railsOf>;
export type Service = ReturnType<typeof startService>;

export function startService(random: Random) {
  const log = memoryEventStore();
  const clock = steppableClock();
  const ids = sequentialIds();

  const read: DomainEvent[] = [];
  /** Every event so far. */
  const events = (): readonly DomainEvent[] => {
    read.push(...log.all.slice(read.length).map(domainEvent));
    return read;
  };

  const defaultAccount = (customerId: string, currency: string) => {
    const deleted = new Set(
      events().flatMap(({ type, data }) =>
        type === 'ExternalAccountDeleted' ? [data.externalAccountId] : [],
      ),
    );
    const found = events().find(
      ({ type, data }) =>
        type === 'ExternalAccountCreated' &&
        data.defaultUmaDepositAccount &&
        data.customerId === customerId &&
        data.currency === currency &&
        !deleted.has(data.externalAccountId),
    );
    return found?.type === 'ExternalAccountCreated' ? found.data.externalAccountId : undefined;
  };

  const start = (store: EventStore): Process => {
    const commands = createDispatcher({ store, newEventId: ids.uuid, now: clock.now }, aggregates, reactions);
    const rail = fatefulRail(clock.now);
    return { commands, ...railsOf({ commands, rail, now: clock.now, defaultAccount }) };
  };

  /** Gives others time to come in between, and now and then takes the process away. */
  const endanger = async () => {
    for (let turns = random.below(4); turns > 0; turns--) await Promise.resolve();
    if (random.chance(crashChance)) throw new Crash();
  };
  const endangered = watchedEventStore(log, {
    beforeAppend: endanger,
    afterAppend: endanger,
    beforeRead: () => Promise.resolve(),
  });
  const processes = [start(endangered), start(endangered), start(endangered)];

  /** Runs something on one of the processes, which starts anew, with nothing in memory, when it crashes. */
  const attempt = async (what: (process: Process) => Promise<unknown>): Promise<boolean> => {
    const n = random.below(processes.length);
    try {
      await what(processes[n] ?? start(endangered));
      return true;
    } catch (error) {
      if (error instanceof Crash) processes[n] = start(endangered);
      else if (!(error instanceof Rejected || error instanceof WrongRevision)) throw error;
      return false;
    }
  };

  /** The entries of commands that were not refused and not cut short. */
  const answered = new Set<string>();

  return {
    events,
    /** The same as they are stored. */
    stored: log.all,
    clock,
    ids,
    attempt,
    answered,
    async run({ to, uuid, command, platformId: of = platformId }: Instruction) {
      const done = await attempt(({ commands }) =>
        commands.run(to, uuid, command, { ...cause, platformId: of }),
      );
      if (done && 'entryId' in command) answered.add(command.entryId);
    },

    /** Works on an event of the past, as a worker that starts again does. */
    async workOnSomething() {
      const event = random.pick(events());
      if (event) await attempt((process) => work(process, event));
    },

    /** Runs a job that was queued at some time: it may be early, late, or done long ago. */
    async runSomeJob() {
      const queued = events().filter((event) => !isBeforeRail(event));
      const timer = random.pick(queued.flatMap((event) => timerOf(event) ?? []));
      if (timer) await attempt((process) => runTimer(process, timer));
    },

    /** Looks after a payment that was ready for the rail at some time: it may be there, over, or on its way. */
    async lookAfterSomePayment() {
      const timer = random.pick(
        events()
          .filter(isBeforeRail)
          .flatMap((event) => timerOf(event) ?? []),
      );
      if (timer) await attempt((process) => runTimer(process, timer));
    },

    /** A process that lives: it reads the log from the beginning and finishes what needs no waiting. */
    async recover(): Promise<Process> {
      const process = start(log);
      for (let n = 0; n < log.all.length; n++) {
        const stored = log.all[n];
        if (stored) await work(process, domainEvent(stored));
      }
      return process;
    },

    /** Lets time pass until nothing waits any more. */
    async finish(process: Process): Promise<void> {
      for (let rounds = 0; rounds < 5; rounds++) {
        clock.advance(longMs);
        const before = log.all.length;
        for (const timer of pendingTimers(events())) await runTimer(process, timer);
        for (let n = before; n < log.all.length; n++) {
          const stored = log.all[n];
          if (stored) await work(process, domainEvent(stored));
        }
      }
    },
  };
}

/** What the worker does with an event. */
async function work({ commands, payments }: Process, event: DomainEvent): Promise<void> {
  await commands.react(event, {});
  await payments.submit(event);
}

const runTimer = (process: Process, timer: Timer) => process.runTimer(timer);

/** The timers that the log has left to run: one per payment. */
export function pendingTimers(events: readonly DomainEvent[]): readonly Timer[] {
  const timers = new Map<string, Timer>();
  for (const event of events) {
    const timer = timerOf(event);
    if (timer) timers.set(timer.subject, timer);
    else if (timer === undefined && 'transactionId' in event.data) timers.delete(event.data.transactionId);
  }
  return [...timers.values()];
}
