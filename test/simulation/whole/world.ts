/** Everything around the code of the service in one life: its database, time, queue, rail and receivers, and what goes wrong. */
import type { ServerLog } from '../../support/servers/eventstoredb-server/log.ts';
import { uuidNumber } from '../../support/values/ids.ts';
import { fatefulRail } from '../rail.ts';
import type { Random } from '../random.ts';
import type { Bug } from './bugs.ts';
import { beginProcess, type Lane, processOf, runAs, type SimulatedProcess } from './engine/process.ts';
import { callsOf, createTurns } from './engine/turns.ts';
import { openVirtualTime } from './engine/virtual-time.ts';
import { rebuildAt } from './evidence/rebuilt.ts';
import type { Faults } from './faults.ts';
import { credentialsOf, type Line, type LiveProcess, startProcess } from './installation.ts';
import { bankEveryMs, openBank } from './ports/bank.ts';
import type { Control } from './ports/database/postgres.ts';
import { controlWith, isWaiting, outboxOf } from './ports/database/seen.ts';
import { type Fate, routeStatements } from './ports/database/statements.ts';
import { type Outside, openOutside } from './ports/elsewhere/outside.ts';
import { routeFiles } from './ports/files.ts';
import { storeOn } from './ports/log/place.ts';
import { simulateLogServer } from './ports/log/server.ts';
import { createNetwork } from './ports/network.ts';
import { createQueues } from './ports/queue.ts';
import { railFor } from './ports/rail.ts';
import { createReceivers, type Decide } from './ports/receivers.ts';

const processNames = ['one', 'two'];
/** More virtual time than anything takes that is waited for. */
const patienceMs = 300_000;
const lateMaxMs = 8_000;
/** So long an append stands still: longer than a key is held, and not as long as its process waits for it. */
const [standsMinMs, standsMaxMs] = [5_100, 5_900];
/** So long one is on its way: longer than anybody counts on it. */
const onTheWayMaxMs = 60_000;
const settlingMs = 1_000;
const jumpMaxMs = 60_000;
/** So long it takes at most until those that run have seen that the server's clock has jumped, cut off or not. */
const noticedMs = 12_000;

type Options = {
  /** In milliseconds since 1970. */
  readonly begins: number;
  readonly databaseUrl: string;
  /** Where the log is not in the same Postgres. */
  readonly log?: ServerLog | undefined;
  readonly control: (now: () => number) => Promise<Control>;
  readonly random: Random;
  readonly faults: Faults;
  readonly decide: Decide;
  readonly planted?: Bug;
  readonly outside?: Outside | undefined;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(options: Options) {
  const { begins, databaseUrl, log, control: open, random, faults, decide, planted = {} } = options;
  const time = openVirtualTime(begins, () => processOf()?.isAlive() ?? true);
  let serverAheadMs = 0;
  let jumpedAt = Number.NEGATIVE_INFINITY;
  const control = controlWith(log, await open(() => time.now() + serverAheadMs));
  const turns = createTurns(random);
  const rail = fatefulRail(() => new Date(time.now()));
  const bank = openBank({ random, faults, now: time.now });
  setInterval(bank.work, bankEveryMs);
  const receivers = createReceivers({ turns, faults, now: time.now, logEnd: control.logEnd }, decide);
  const network = createNetwork();
  const lines: Line[] = [];
  let passed = 0;
  let operators = 0;
  let ends = 0;
  let named = options.begins % 1_000_000_000;
  const paused = new Map<SimulatedProcess, number>();
  const dying = new Set<LiveProcess>();
  /** Those that stop as they are asked to, and do not start anew. */
  const leaving = new Set<LiveProcess>();
  const seconds = () => random.below(lateMaxMs);
  const countWaysBack = () => control.countOf('PlatformStateRestored');
  const late = (lane: Lane) => {
    lane.heldUntil = time.now() + seconds();
  };

  const isEverybodyThere = () => processes.every((one) => one.server());
  /** Whoever starts right after a jump cannot know of it; those that run tell. */
  const mayStart = () => time.now() - jumpedAt >= noticedMs;
  const crash = (process: SimulatedProcess) => {
    const found = [...processes, ...leaving].find((one) => one.process === process);
    if (!found || !mayStart()) return;
    found.die();
    ends += 1;
    dying.add(found);
  };
  const statements = routeStatements({
    turns,
    control,
    changed: planted.statement ?? ((text) => text),
    before(lane, text, values = []): Fate {
      if (faults.strikes('crash before a statement')) crash(lane.process);
      if (faults.strikes('process cut off for seconds')) paused.set(lane.process, time.now() + seconds());
      if (faults.strikes('connection lost before a statement')) return 'lost before';
      if (faults.strikes('connection lost after a statement')) return 'lost after';
      if (/insert|update|append_events/.test(text) && faults.strikes('full disk')) return 'full disk';
      if (faults.strikes('statement late by seconds')) late(lane);
      if (isUnderKey(text, values) && faults.strikes('append under a key stands still')) {
        lane.heldUntil = time.now() + standsMinMs + random.below(standsMaxMs - standsMinMs);
        return 'held back';
      }
      if (isUnderKey(text, values) && faults.strikes('append under a key comes late')) return 'on the way';
      const answer = text.includes('append_events(') ? 'an append' : 'a statement';
      if (faults.strikes(`answer of ${answer} late`)) return 'heard of late';
      return undefined;
    },
    async wayOf() {
      const heldUntil = time.now() + random.below(onTheWayMaxMs);
      const lane = { name: `statement on its way ${++passed}`, process: undefined, heldUntil };
      const waysBack = await countWaysBack();
      // What comes to a stream that its platform has left is not simulated.
      return { lane, arrives: async () => (await countWaysBack()) === waysBack };
    },
    after(lane) {
      if (faults.strikes('crash after a statement')) crash(lane.process);
    },
    heard(process, pass) {
      if (faults.strikes('notification lost')) return;
      const lane: Lane = { name: `notice to ${process.name} ${++passed}`, process };
      if (faults.strikes('notification late')) late(lane);
      turns.wait(lane, pass);
    },
  });
  const files = routeFiles({
    turns,
    folder: bank.folder,
    changed: planted.file ?? ((_, original) => original),
    before(process, isWritten) {
      if (faults.strikes('crash before a file is touched')) crash(process);
      return isWritten && faults.strikes('full disk of files') ? 'full disk' : undefined;
    },
  });
  const queues = createQueues(random.pick, (run) => {
    if (faults.strikes('job lost')) return;
    const lane: Lane = { name: `job ${++passed}`, process: undefined };
    if (faults.strikes('job late')) late(lane);
    turns.wait(lane, run);
    if (faults.strikes('job twice')) turns.wait({ name: `job ${++passed}`, process: undefined }, run);
  });
  const endangered = { strikes: faults.strikes, below: random.below, crash };
  const logServer = log && simulateLogServer(log, { turns, ...endangered, late, changed: planted.logClient });
  const newUuid = () => uuidNumber(++named);
  const { screening, mailServer, farRail, ...outside } = openOutside(options.outside ?? 'ports', {
    ...{ turns, faults, random, now: time.now, newId: newUuid, network, rail, planted },
    logEnd: control.logEnd,
    outboxOf: (id) => outboxOf(control, id),
    processes: () => processes,
  });
  const start = (name: string): LiveProcess =>
    startProcess(name, {
      databaseUrl,
      logClientOf: logServer?.clientOf,
      queues,
      newUuid,
      railOf: (process) =>
        railFor(process, { rail, far: farRail, folder: bank.folder, newUuid }, { turns, faults }),
      screeningOf: screening.of,
      senderOf: receivers.senderOf,
      mailerOf: mailServer.mailerOf,
      told: (line) => void lines.push(line),
    });
  const processes: LiveProcess[] = [];

  /** What has ended leaves the stage, and starts anew. */
  const bury = async () => {
    for (const one of dying) {
      dying.delete(one);
      await statements.cut(one.process);
      paused.delete(one.process);
      const n = processes.indexOf(one);
      one.service.catch(() => undefined);
      if (n >= 0) processes[n] = begin(one.process.name);
    }
  };
  const begin = (name: string): LiveProcess => {
    const begun = start(name);
    // What cannot start ends, and is started again, as by its supervisor.
    const end = () => {
      if (!begun.process.isAlive()) return;
      if (mayStart()) crash(begun.process);
      else setTimeout(end, noticedMs);
    };
    begun.service.catch(end);
    return begun;
  };
  /** What ends connections asks the server: nothing else goes on meanwhile. */
  const cutInTurn = (process: SimulatedProcess) =>
    callsOf(turns, `end of ${process.name}`, () => statements.cut(process))();
  /** Stops as it is asked to, whatever goes wrong meanwhile. */
  const leave = async (one: LiveProcess): Promise<void> => {
    leaving.add(one);
    const stopped = one.service.then((service) => runAs(one.process, () => service.stop()));
    await Promise.race([stopped.catch(() => undefined), one.ended]);
    leaving.delete(one);
  };
  const mayGo = ({ process, heldUntil }: Lane): boolean => {
    const until = Math.max(heldUntil ?? 0, (process && paused.get(process)) ?? 0);
    return until <= time.now();
  };

  /** Lets one thing happen: a call goes on, or time does. */
  const happen = async (): Promise<void> => {
    if (dying.size > 0) await bury();
    if (faults.strikes('time passes while calls wait')) time.jump(random.below(200));
    else if (faults.strikes('clock ahead')) time.jump(random.below(3_000));
    if (isEverybodyThere() && faults.strikes("database server's clock jumps")) {
      serverAheadMs += random.below(2 * jumpMaxMs) - jumpMaxMs;
      jumpedAt = time.now();
    }
    if (faults.strikes('queue lost')) await queues.open().queue('timers').empty();
    if (!(await turns.take(mayGo))) time.next();
  };
  const until = async (isDone: () => boolean): Promise<void> => {
    const latest = time.now() + patienceMs;
    while (!isDone()) {
      if (time.now() > latest) throw new Error('it does not come to an end');
      await happen();
    }
  };

  return {
    time,
    asksMore: options.outside === 'network',
    control,
    turns,
    random,
    faults,
    rail,
    farRail,
    bank,
    screening,
    receivers,
    mailServer,
    network,
    lines,
    happen,
    /** Lets things happen until it is done. Throws where that takes minutes. */
    until,
    processes: (): readonly LiveProcess[] => processes,
    /** The same as long as all processes are there; nothing while one is not. */
    sinceTogether: (): number | undefined =>
      processes.length === processNames.length && isEverybodyThere() ? ends : undefined,
    /**
     * One of the processes ends, as it is asked to or without notice, and stays away until what this resolves to is called.
     * `undefined` where one of them is not there at this moment.
     */
    async sendAway(isAsked: boolean): Promise<(() => Promise<void>) | undefined> {
      const gone = random.pick(processes);
      if (!gone || processes.length < processNames.length || !isEverybodyThere()) return undefined;
      processes.splice(processes.indexOf(gone), 1);
      ends += 1;
      if (isAsked) await leave(gone);
      gone.die();
      await cutInTurn(gone.process);
      return async () => {
        while (!mayStart()) await new Promise((resolve) => void setTimeout(resolve, settlingMs));
        processes.push(begin(gone.process.name));
      };
    },
    /** How often a platform has gone back to a snapshot. */
    waysBack: callsOf(turns, 'ways back', countWaysBack),
    async begin() {
      for (const name of processNames) processes.push(begin(name));
      await until(isEverybodyThere);
    },
    /** One more platform beside the first. */
    async addPlatform(n: number) {
      const [first] = processes;
      if (!first) throw new Error('nothing runs');
      let isDone = false;
      const service = await untilResolved(first.service, until);
      const added = runAs(first.process, () => service.addPlatform(credentialsOf(n)));
      added.then(() => {
        isDone = true;
      });
      await until(() => isDone);
    },
    /** An operator builds the read models anew, while the processes are at work. Tells why that has come to nothing. */
    async rebuild(): Promise<string | undefined> {
      const name = `operator ${++operators}`;
      const { process, end } = beginProcess(name);
      try {
        const connect = logServer && (() => logServer.clientOf(process));
        await runAs(process, () => rebuildAt(databaseUrl, storeOn(databaseUrl, connect)));
        return undefined;
      } catch (error) {
        return String(error);
      } finally {
        end();
        await cutInTurn(process);
      }
    },
    /** Lets time pass until nothing waits any more. `false` where something does so for minutes. */
    async settled(): Promise<boolean> {
      const latest = time.now() + patienceMs;
      while (time.now() < latest) {
        const then = time.now() + settlingMs;
        await until(() => time.now() >= then);
        const isDone = !statements.isWaiting() && !bank.isWaiting() && !outside.isWaiting();
        if (isDone && !(await isWaiting(control))) return true;
      }
      return false;
    },
    /** The processes stop as they are asked to. */
    async stop() {
      const services = await untilResolved(Promise.all(processes.map(({ service }) => service)), until);
      await untilResolved(
        Promise.all(processes.map(({ process }, n) => runAs(process, () => services[n]?.stop()))),
        until,
      );
    },
    /** Nothing goes wrong from here on; who was cut off is there again. */
    calm() {
      faults.stop();
      paused.clear();
      serverAheadMs = 0;
    },
    async end() {
      for (const one of processes) one.die();
      for (const { process } of processes) await statements.cut(process);
      network.end();
      outside.end();
      await control.end();
      turns.end();
      files.end();
      bank.end();
      time.end();
    },
  };
}

/** The place of what is said about events among the values of an append. */
const metadataAt = 8;
/** Whether it appends what a request with an Idempotency-Key has come to. */
const isUnderKey = (text: string, values: readonly unknown[]): boolean =>
  text.includes('append_events(') && String(values[metadataAt]).includes('"key":');

/** What a promise of a process comes to, while things happen. */
export async function untilResolved<Result>(
  promise: Promise<Result>,
  until: (isDone: () => boolean) => Promise<void>,
): Promise<Result> {
  let isDone = false;
  const settled = promise.finally(() => {
    isDone = true;
  });
  settled.catch(() => undefined);
  await until(() => isDone);
  return settled;
}
