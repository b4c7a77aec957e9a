/** The service without its edges: processes that run commands on one log, and die in the middle of it. */
import { timerOf } from '../../projections/models/timers.ts';
import type { Timer } from '../../projections/tables/transactions.ts';
import { aggregates, type DomainEvent, type Instruction } from '../../src/domain/aggregates.ts';
import { isReadyForRail } from '../../src/domain/payments/life/moves.ts';
import { reactionsIn } from '../../src/domain/reactions/reactions.ts';
import { StoreAway } from '../../src/infrastructure/away.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { WrongRevision } from '../../src/infrastructure/event-store/event-store.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import type { Commands } from '../../src/use-cases/commands.ts';
import { platformId } from '../support/builders/identities.ts';
import { domainEvent } from '../support/log/domain-events.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { railsOf } from '../support/rails/rails.ts';
import { steppableClock } from '../support/time/clock.ts';
import { uuidNumber } from '../support/values/ids.ts';
import type { Faults } from './faults.ts';
import type { Bug } from './planting.ts';
import { Crash, type Disk, portsOf } from './ports.ts';
import { fatefulRail } from './rail.ts';
import type { Random } from './random.ts';
import { scheduleOf } from './schedule.ts';

const cause = { platformId, correlationId: 'simulation', causationId: 'simulation', actor: 'simulation' };
/** Longer than anything takes that waits for its time. */
const longMs = 3_600_000;
const retriesMax = 3;
/** More than one step needs. */
const idsOfAStep = 2 ** 20;

export type Process = { readonly commands: Commands; readonly isAlive: () => boolean } & ReturnType<
  typeof railsOf
>;
export type Service = ReturnType<typeof startService>;

type Options = { readonly faults: Faults; readonly bug?: Bug | undefined };

export function startService(random: Random, { faults, bug = {} }: Options) {
  const log = memoryEventStore();
  const clock = steppableClock();
  const schedule = scheduleOf(random);
  const rail = fatefulRail(clock.now);
  const disk: Disk = { refuses: 0 };
  let nextId = 1;
  const ids = { uuid: () => uuidNumber(nextId++) };

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

  /** A process with nothing in memory, whose calls go as its ports let them. */
  const startOn = (
    ports: Pick<ReturnType<typeof portsOf>, 'store' | 'rail' | 'isAlive' | 'turn'>,
  ): Process => {
    const right = { store: ports.store, rail: ports.rail, aggregates, reactions: reactionsIn('sandbox') };
    const parts = bug.plant?.(right) ?? right;
    const deps = { store: parts.store, newEventId: ids.uuid, now: clock.now, pause: ports.turn };
    const commands = createDispatcher(deps, parts.aggregates, parts.reactions);
    const rails = railsOf({ commands, rail: parts.rail, now: clock.now, defaultAccount });
    return { commands, isAlive: ports.isAlive, ...rails };
  };
  const start = () => startOn(portsOf({ log, rail, disk, faults, schedule }));
  const startUnharmed = () =>
    startOn({ store: log, rail, isAlive: () => true, turn: () => Promise.resolve() });
  const processes = [start(), start()];

  type Outcome = 'done' | 'refused' | 'unknown';
  /** Runs something on one of the processes, which starts anew, with nothing in memory, when it crashes. */
  const attempt = async (what: (process: Process) => Promise<unknown>): Promise<Outcome> => {
    const n = random.below(processes.length);
    const process = processes[n] ?? start();
    try {
      await what(process);
      return process.isAlive() ? 'done' : 'unknown';
    } catch (error) {
      if (error instanceof Rejected) return 'refused';
      if (error instanceof Crash || error instanceof WrongRevision || error instanceof StoreAway)
        return 'unknown';
      throw error;
    } finally {
      if (!process.isAlive() && processes[n] === process) processes[n] = start();
    }
  };

  /** The entries of commands that were not refused and not cut short. */
  const answered = new Set<string>();
  /** What clients have asked for. */
  const asked: Instruction[] = [];

  /** Works on an event, as its owner does; now and then there are two who take themselves for it. */
  const deliver = async (event: DomainEvent) => {
    const owners = faults.strikes('event for two owners') ? 2 : 1;
    await Promise.all(Array.from({ length: owners }, () => attempt((process) => work(process, event))));
  };

  return {
    events,
    /** The same as they are stored. */
    stored: log.all,
    /** What the rail was told. */
    taken: rail.taken,
    clock,
    ids,
    attempt,
    answered,
    asked,
    processes: (): readonly Process[] => processes,
    startUnharmed,

    /** What comes from here on does not depend on how much came before. */
    beginStep(n: number) {
      random.restart(n);
      nextId = (n + 1) * idsOfAStep;
    },

    async run(instruction: Instruction) {
      asked.push(instruction);
      for (let tries = 0; tries <= retriesMax; tries++) {
        const {
          to,
          uuid,
          command,
          platformId: of = platformId,
        } = bug.retry?.(instruction, tries) ?? instruction;
        const outcome = await attempt(({ commands }) =>
          commands.run(to, uuid, command, { ...cause, platformId: of }),
        );
        if (outcome === 'done' && 'entryId' in command) answered.add(command.entryId);
        if (outcome !== 'unknown' || !faults.strikes('client asks again')) return;
      }
    },

    /** The newest events, or one of the past, as a worker that starts again reads it. */
    async workOnSomething() {
      const isOld = faults.strikes('event late, again or out of order');
      const event = isOld ? random.pick(events()) : events().at(-1);
      if (event) await deliver(event);
    },

    /** Runs a job that was queued at some time: one that is due, or one that is early, late, or done long ago. */
    async runSomeJob() {
      const any = faults.strikes('job early, late or again');
      const timers = any
        ? events().flatMap((event) => timerOf(event) ?? [])
        : pendingTimers(events()).filter((timer) => timer.due_at <= clock.now());
      const timer = random.pick(timers);
      if (timer) await attempt((process) => runTimer(process, timer));
    },

    /** Looks after a payment that was ready for the rail at some time: it may be there, over, or on its way. */
    async lookAfterSomePayment() {
      const timer = random.pick(
        events()
          .filter(isReadyForRail)
          .flatMap((event) => timerOf(event) ?? []),
      );
      if (timer) await attempt((process) => runTimer(process, timer));
    },

    /** Time goes on; now and then by more than anybody expects. */
    async wait() {
      clock.advance(random.below(2_000));
      if (faults.strikes('clock ahead')) clock.advance(random.below(longMs));
    },

    /** A process that lives: it reads the log from the beginning and finishes what needs no waiting. */
    async recover(): Promise<Process> {
      const process = startUnharmed();
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
