import type pg from 'pg';
import { systemIds } from '../../kernel/ids.ts';
import type { Log } from '../observe/log.ts';
import { once } from '../once.ts';
import { within } from '../within.ts';
import { type Ask, oneByOne } from './one-by-one.ts';
import { createClient } from './pool.ts';
import { createPresence } from './presence.ts';
import { ofEachProcess } from './processes.ts';

const retryMs = 500;
/** Where each process says that it listens. */
export const presenceChannel = 'daybook_listening';
/** Somebody who only listens does not notice that the other end is gone: so the connection is asked this often. */
export const askedEveryMs = 1_500;
/** A connection that does not answer in this time is given up. */
export const answerMaxMs = 2_500;
/** A stop does not wait longer to have said so. */
const farewellMaxMs = 500;

/** Told what a notification says; nothing when the connection is a new one. What it reads because of that, a stop waits for. */
export type Wake = (payload: string | undefined) => void | Promise<void>;

export type Listening = {
  /**
   * Calls `wake` for every NOTIFY on `channel`, and once after each (re)connection, since notifications sent while the
   * connection was down are lost. Returns what ends it: where nobody is left on a channel, nothing comes by it.
   */
  on(channel: string, wake: Wake): () => void;
  /** Calls `lost` whenever the connection is gone: with the server, maybe. */
  onLoss(lost: () => void): void;
  /** Whether no other process listens on a channel: then there is nobody to tell. `false` while that is not known. */
  isAlone(channel: string): boolean;
  /** How many other processes have listened lately, as far as this one has heard. */
  heardOf(): number;
  /** Calls `told` for every other process that begins to listen on something. Returns what ends it. */
  onNewcomer(told: () => void): () => void;
  /** Wakes nobody any more, and ends once those who were woken have read what they read. Safe to call twice. */
  stop(): Promise<void>;
};

type Line = { readonly client: pg.Client; readonly say: Ask };

const tellOthers = ({ say }: Line, text: string) => say('select pg_notify($1, $2)', [presenceChannel, text]);

/**
 * One connection for all channels that a process listens on. Reconnects until stopped, also when a connection has gone
 * silent: within `askedEveryMs` and `answerMaxMs` of that.
 */
export function openListening(url: string, log: Log): Listening {
  const channels = new Map<string, Set<Wake>>();
  const self = systemIds.uuid();
  const presence = createPresence(self);
  const toldOfNewcomers = new Set<() => void>();
  const toldOfLosses: (() => void)[] = [];
  const readings = new Set<Promise<void>>();
  let stopped = false;
  let line: Line | undefined;
  let isConnected = false;
  let timer: NodeJS.Timeout | undefined;
  let asking: NodeJS.Timeout | undefined;

  const wakeAll = (channel: string, payload?: string) => {
    if (stopped) return;
    for (const wake of channels.get(channel) ?? []) {
      const reading = wake(payload);
      if (!reading) continue;
      readings.add(reading);
      const over = () => readings.delete(reading);
      reading.then(over, over);
    }
  };
  /** Also tells whether the connection is alive. */
  const speak = (to: Line) => tellOthers(to, presence.says([presenceChannel, ...channels.keys()]));
  const notified = (by: Line, channel: string, payload = '') => {
    if (channel !== presenceChannel) return wakeAll(channel, payload);
    if (!presence.heard(payload)) return;
    for (const told of toldOfNewcomers) told();
    // It has not heard of this one yet. Where this fails, the connection does.
    speak(by).catch(() => undefined);
  };
  const hear = async ({ client, say }: Line, channel: string) => {
    await say(`listen ${client.escapeIdentifier(channel)}`);
    wakeAll(channel);
  };
  /** Others learn at once that there is somebody to tell. */
  const begin = async (by: Line, channel: string) => {
    await hear(by, channel);
    await speak(by);
  };
  const leave = ({ client, say }: Line, channel: string) =>
    say(`unlisten ${client.escapeIdentifier(channel)}`);
  const connect = async () => {
    if (stopped) return;
    const client = createClient(url, ofEachProcess.listening, answerMaxMs);
    const next = { client, say: oneByOne(client) };
    line = next;
    client.once('end', retry);
    client.on('notification', ({ channel, payload }) => notified(next, channel, payload));
    try {
      await client.connect();
      isConnected = true;
      await next.say(`listen ${presenceChannel}`);
      presence.begun();
      for (const channel of channels.keys()) await hear(next, channel);
      await speak(next);
      asking = setTimeout(ask, askedEveryMs, next);
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'cannot listen; trying again');
      await client.end().catch(() => undefined);
      retry();
    }
  };
  const ask = async (current: Line) => {
    try {
      await speak(current);
      if (!stopped && line === current) asking = setTimeout(ask, askedEveryMs, current);
    } catch (error) {
      if (stopped || line !== current) return;
      log.warn({ err: error }, 'cannot listen; trying again');
      // It may be there still: what it hears would be heard twice.
      current.client.removeListener('end', retry);
      current.client.end().catch(() => undefined);
      retry();
    }
  };
  const retry = () => {
    if (isConnected) for (const lost of toldOfLosses) lost();
    isConnected = false;
    presence.deaf();
    clearTimeout(asking);
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, retryMs);
  };
  const started = connect();
  const stop = once(async () => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(asking);
    await started;
    await within(answerMaxMs, Promise.allSettled(readings));
    line?.client.removeListener('end', retry);
    if (isConnected && line)
      await within(
        farewellMaxMs,
        tellOthers(line, presence.farewell).catch(() => undefined),
      );
    await line?.client.end().catch(() => undefined);
  });

  return {
    on(channel, wake) {
      const others = channels.get(channel);
      channels.set(channel, new Set([...(others ?? []), wake]));
      // Where the connection breaks over this, the next one listens to all.
      if (isConnected && line) begin(line, channel).catch(() => undefined);
      return () => {
        const left = channels.get(channel);
        left?.delete(wake);
        if (left?.size !== 0) return;
        channels.delete(channel);
        if (isConnected && line) leave(line, channel).catch(() => undefined);
      };
    },
    onLoss: (lost) => void toldOfLosses.push(lost),
    isAlone: presence.isAlone,
    heardOf: presence.heardOf,
    onNewcomer(told) {
      toldOfNewcomers.add(told);
      return () => void toldOfNewcomers.delete(told);
    },
    stop,
  };
}
