/**
 * The way of every statement to Postgres: it waits for its turn, is carried out on the real connection while nothing else
 * is, and what it waits for in there does not hold up the others. What is said to listeners waits for its turn as well.
 */
import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { type Lane, processOf, runAs, type SimulatedProcess } from '../../engine/process.ts';
import type { Turns } from '../../engine/turns.ts';
import { real } from '../../engine/virtual-time.ts';
import {
  application,
  bearerLike,
  type Client,
  deadlines,
  fullDisk,
  isDoneWith,
  lost,
  withoutDeadline,
} from './connection.ts';
import { createNotices, type Notice, telling } from './notices.ts';
import type { Control } from './postgres.ts';
import { preparedOnce } from './prepared.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever is asked of the database, in any of its forms
type Any = any;
type Answered = (error?: unknown, answer?: unknown) => void;
/** Tells who asked what came of it: in the order in which it was carried out, unless it is to be heard of late. */
type Deliver = () => void;
type OwnLane = Lane & { readonly process: SimulatedProcess };

const { connect, end, query, emit } = pg.Client.prototype as Any;
/** So long in real time a statement is thought to be at work before it is asked whether it waits, at first and at most. */
const atWorkMs = 10;
const atWorkMaxMs = 25;
/**
 * What becomes of a statement: it is not carried out, nobody hears what came of it, it is heard of when others have seen
 * what came of it, it waits until its lane may go on, or it is carried out when whoever sent it may have given it up.
 */
export type Fate =
  | 'lost before'
  | 'lost after'
  | 'heard of late'
  | 'full disk'
  | 'held back'
  | 'on the way'
  | undefined;

export type Statements = {
  /** Ends all connections of a process, at the server as well. */
  readonly cut: (process: SimulatedProcess) => Promise<void>;
  /** Whether a statement is on its way, which nobody may wait for. */
  readonly isWaiting: () => boolean;
};

type Deps = {
  readonly turns: Turns;
  readonly control: Control;
  /** Asked before and after each statement. What belongs to a process that has ended meanwhile goes no further. */
  readonly before: (lane: OwnLane, text: string, values?: readonly unknown[]) => Fate;
  readonly after: (lane: OwnLane, text: string) => void;
  /** What is sent in place of the statement. */
  readonly changed: (text: string) => string;
  /** Of a statement that nobody waits for: where it waits, and whether it arrives. */
  readonly wayOf: () => Promise<{ readonly lane: Lane; readonly arrives: () => Promise<boolean> }>;
  /** How a notification is passed on, if it is. */
  readonly heard: (process: SimulatedProcess, pass: () => void) => void;
};

/** All statements of processes of the simulation go this way from now on. */
export function routeStatements({ turns, control, before, after, changed, wayOf, heard }: Deps): Statements {
  const lanes = new Map<Client, OwnLane>();
  const blocked = new Map<Client, Promise<Deliver>>();
  const notices = createNotices<Client>();
  /** Server processes whose connection has ended here, and who may not have noticed yet. */
  const left: number[] = [];
  let connections = 0;
  let onTheWay = 0;

  /** Ends when the work is done, or waits for somebody else's. */
  const unlessBlocked = async (client: Client, done: Promise<Deliver>): Promise<void> => {
    for (let ms = atWorkMs; ; ms = Math.min(2 * ms, atWorkMaxMs)) {
      const waited = pause(ms);
      const deliver = await Promise.race([done, waited.over]);
      if (deliver) {
        waited.cancel();
        blocked.delete(client);
        return deliver();
      }
      if (await control.isBlocked(client.processID ?? 0)) return void blocked.set(client, done);
    }
  };
  /** Those whose wait is over come to their end. */
  const endWaits = async () => {
    for (const [client, done] of [...blocked])
      if (!(await control.isBlocked(client.processID ?? 0))) await unlessBlocked(client, done);
  };
  /** Locks and sessions of a connection end with it, however busy the machine is: before the next statement. */
  const endLeft = async () => {
    if (left.length === 0) return;
    await control.endAll(left.splice(0));
    await endWaits();
  };
  const everybodyHears = (said: readonly Notice[]) => {
    for (const notice of said)
      for (const client of notices.listenersOf(notice.channel)) {
        const lane = lanes.get(client);
        const pass = () => emit.call(client, 'notification', notice);
        if (lane) heard(lane.process, () => void runAs(lane.process, pass));
      }
  };
  const carryOut = async (client: Client, text: string, send: (done: (deliver: Deliver) => void) => void) => {
    if (text.includes('clock_timestamp()') || appending.test(text)) await control.showTime();
    await unlessBlocked(client, new Promise((resolve) => send(resolve)));
    if (blocked.size > 0) await endWaits();
  };
  const leave = (client: Client) => {
    lanes.delete(client);
    notices.forget(client);
    blocked.delete(client);
  };
  const drop = (client: Client) => {
    notices.forget(client);
    client.connection.stream.destroy();
  };

  const turnOf = (client: Client, lane: OwnLane, [first, given]: Any[], told: Answered) => {
    const answered = AsyncResource.bind(told);
    const asked: pg.QueryConfig = typeof first === 'string' ? { text: first } : first;
    const { text, values = given ?? [] } = asked;
    const timed = withoutDeadline(
      telling(changed(text)).replaceAll('clock_timestamp()', 'simulation.clock()'),
    );
    const carryOutBy = (by: Client, tell: (error: unknown, answer: unknown) => void) => {
      // Nobody listens at the server: what is said is known from the statements that say it.
      const isListening = notices.listens(by, text);
      const sent = isListening ? 'select' : preparedOnce({ ...asked, text: timed, values });
      return carryOut(by, text, (done) =>
        runAs(lane.process, () =>
          query.call(by, sent, async (error: unknown, answer: unknown) => {
            if (appending.test(text)) control.logGrew();
            if (error) await isDoneWith(by);
            const isOver = by.getTransactionStatus() === 'I';
            if (error) notices.takeBack(by);
            const rows = (answer as pg.QueryResult | undefined)?.rows ?? [];
            const heardNow = error ? [] : notices.said(by, { text, values, rows, isOver });
            done(() => {
              if (!error) after(lane, text);
              everybodyHears(heardNow);
              tell(error, answer);
            });
          }),
        ),
      );
    };
    const go = async (fate: Fate) => {
      if (!lane.process.isAlive()) return;
      if (fate === 'full disk') return answered(fullDisk());
      if (fate === 'lost before') {
        drop(client);
        return answered(lost());
      }
      await carryOutBy(client, (error, answer) => {
        if (!lane.process.isAlive()) return;
        if (fate === 'heard of late') return turns.wait(lane, () => answered(error, answer));
        if (fate !== 'lost after') return answered(error, answer);
        drop(client);
        answered(lost());
      });
    };
    /** Whoever sent it hears nothing, and ends the connection at some time. */
    const goByItself = async () => {
      onTheWay += 1;
      const { lane: way, arrives } = await wayOf();
      turns.wait(way, async () => {
        await endLeft();
        onTheWay -= 1;
        if (!(await arrives())) return;
        const bearer = await bearerLike(client);
        await carryOutBy(bearer, () => bearer.connection.stream.destroy());
      });
    };
    turns.wait(lane, async () => {
      await endLeft();
      const fate = before(lane, text, values);
      if (fate === 'on the way') return goByItself();
      if (fate !== 'held back') return go(fate);
      turns.wait(lane, async () => {
        await endLeft();
        await go(undefined);
      });
    });
  };

  /** COPY: its rows are sent and taken in one turn. It knows of itself what it says to the connection. */
  const copy = (client: Client, lane: OwnLane, copying: Any) => {
    const { handleReadyForQuery, handleError } = copying;
    turns.wait(lane, async () => {
      await endLeft();
      const fate = before(lane, copyText);
      if (!lane.process.isAlive()) return;
      const fail = (error: Error) => void runAs(lane.process, () => handleError.call(copying, error));
      if (fate === 'full disk') return fail(fullDisk());
      if (fate === 'lost before') {
        drop(client);
        return fail(lost());
      }
      await carryOut(client, '', (done) => {
        const told =
          (tell: Any) =>
          (...args: Any[]) =>
            done(() => {
              after(lane, copyText);
              if (!lane.process.isAlive()) return;
              if (fate !== 'lost after') return void tell.apply(copying, args);
              drop(client);
              handleError.call(copying, lost());
            });
        copying.handleReadyForQuery = told(handleReadyForQuery);
        copying.handleError = told(handleError);
        runAs(lane.process, () => query.call(client, copying));
      });
    });
    return copying;
  };

  Object.assign(pg.Client.prototype, {
    connect(this: Client, called?: Answered): unknown {
      const process = processOf();
      if (!process) return connect.call(this, called);
      if (!process.isAlive()) return called ? undefined : new Promise(() => undefined);
      const { connectionParameters } = this as Any;
      connectionParameters.options = connectionParameters.options.replaceAll(deadlines, '');
      const lane = { name: `${process.name} ${application(this)} ${++connections}`, process };
      lanes.set(this, lane);
      this.once('end', () => {
        // Otherwise it has been seen to that the server has ended as well.
        if (lanes.has(this)) left.push(this.processID ?? 0);
        leave(this);
      });
      const go = (told: Answered) => {
        const answered = AsyncResource.bind(told);
        turns.wait(lane, () => {
          // Who has given up waiting does not connect all the same.
          if (this.connection.stream.destroyed) {
            leave(this);
            return answered(lost());
          }
          return new Promise<void>((resolve) =>
            runAs(process, () =>
              connect.call(this, (error: unknown) => {
                resolve();
                answered(error);
              }),
            ),
          );
        });
      };
      if (called) return go((error) => called(error, this));
      return new Promise<void>((resolve, reject) => go((error) => (error ? reject(error) : resolve())));
    },

    end(this: Client, called?: () => void): unknown {
      const lane = lanes.get(this);
      if (!lane) return end.call(this, called);
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      this.once('end', resolve);
      turns.wait(lane, async () => {
        // Who has given up waiting does not get the lock all the same.
        const waits = blocked.has(this);
        leave(this);
        runAs(lane.process, () => void end.call(this).catch(() => undefined));
        // One that has given up before it has connected does not say that it has ended.
        if (!(this as Any).connection._connecting) return resolve();
        await ended;
        if (waits) await control.endAll([this.processID ?? 0]);
        await endWaits();
      });
      return called ? void ended.then(called) : ended;
    },

    query(this: Client, ...args: Any[]): unknown {
      const lane = lanes.get(this);
      if (!lane) return query.apply(this, args);
      if (typeof args[0]?.submit === 'function') return copy(this, lane, args[0]);
      const called: unknown = args.at(-1);
      if (typeof called === 'function') return turnOf(this, lane, args.slice(0, -1), called as Answered);
      return new Promise((resolve, reject) =>
        turnOf(this, lane, args, (error, answer) => (error ? reject(error) : resolve(answer))),
      );
    },
  });

  return {
    async cut(process) {
      const clients = [...lanes].flatMap(([client, lane]) => (lane.process === process ? [client] : []));
      for (const client of clients) {
        leave(client);
        client.on('error', () => undefined);
        client.connection.stream.destroy();
      }
      turns.forget((lane) => lane.process === process);
      await control.endAll(clients.flatMap(({ processID }) => processID ?? []));
      await endWaits();
    },
    isWaiting: () => onTheWay > 0,
  };
}

/** It writes, as an insert does. */
const copyText = 'copy: insert';
const appending = /append_events\(/;
/** In real time. */
function pause(ms: number) {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const timer = real.setTimeout(() => resolve(undefined), ms);
  return { over, cancel: () => real.clearTimeout(timer) };
}
