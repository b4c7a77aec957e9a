import { within } from '../deadlines/within.ts';
import type { Log } from '../observe/log.ts';
import { once } from '../scheduling/once.ts';
import { oneByOne } from './one-by-one.ts';
import { createClient } from './pool.ts';
import { ofEachProcess } from './processes.ts';
import { type Line, presenceChannel, type Talk, talkOf } from './talk.ts';
import { createWakes, type Wake, type Wakes } from './wakes.ts';

const retryMs = 500;
/** Somebody who only listens does not notice that the other end is gone: so the connection is asked this often. */
const askedEveryMs = 1_500;
/** A connection that does not answer in this time is given up. */
const answerMaxMs = 2_500;
/** A stop does not wait longer to have said so. */
const farewellMaxMs = 500;

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
  /** Resolves once the first connection is there, or has failed. */
  begun(): Promise<void>;
  /** Wakes nobody any more, and ends once those who were woken have read what they read. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * One connection for all channels that a process listens on, which other processes see by its name. Reconnects until
 * stopped, also when a connection has gone silent: within `askedEveryMs` and `answerMaxMs` of that.
 */
export function openListening(url: string, log: Log, name: string = ofEachProcess.listening): Listening {
  const wakes = createWakes();
  const talk = talkOf(wakes);
  const line = lastingLine({ url, name }, log, wakes, talk);

  return {
    on(channel, wake) {
      wakes.add(channel, wake);
      const current = line.connected();
      // Where the connection breaks over this, the next one listens to all.
      if (current) talk.begin(current, channel).catch(() => undefined);
      return () => {
        if (!wakes.remove(channel, wake)) return;
        const last = line.connected();
        if (last) talk.leave(last, channel).catch(() => undefined);
      };
    },
    onLoss: line.onLoss,
    isAlone: talk.presence.isAlone,
    heardOf: talk.presence.heardOf,
    onNewcomer: talk.onNewcomer,
    begun: line.begun,
    stop: line.stop,
  };
}

/** Connects at once, and again whenever the connection is gone, until it is stopped. */
function lastingLine(
  { url, name }: { readonly url: string; readonly name: string },
  log: Log,
  wakes: Wakes,
  talk: Talk,
) {
  const toldOfLosses: (() => void)[] = [];
  let stopped = false;
  let line: Line | undefined;
  let isConnected = false;
  let timer: NodeJS.Timeout | undefined;
  let asking: NodeJS.Timeout | undefined;

  const connect = async () => {
    if (stopped) return;
    const client = createClient(url, name, answerMaxMs);
    const next = { client, say: oneByOne(client) };
    line = next;
    client.once('end', retry);
    client.on('notification', ({ channel, payload }) => talk.notified(next, channel, payload));
    try {
      await client.connect();
      isConnected = true;
      await next.say(`listen ${presenceChannel}`);
      talk.presence.begun();
      for (const channel of wakes.channels()) await talk.hear(next, channel);
      await talk.speak(next);
      asking = setTimeout(ask, askedEveryMs, next);
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'cannot listen; trying again');
      await client.end().catch(() => undefined);
      retry();
    }
  };
  const ask = async (current: Line) => {
    try {
      await talk.speak(current);
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
    talk.presence.deaf();
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
    wakes.end();
    clearTimeout(timer);
    clearTimeout(asking);
    await started;
    await within(answerMaxMs, wakes.untilRead());
    line?.client.removeListener('end', retry);
    if (isConnected && line)
      await within(
        farewellMaxMs,
        talk.farewell(line).catch(() => undefined),
      );
    await line?.client.end().catch(() => undefined);
  });

  return {
    connected: () => (isConnected ? line : undefined),
    onLoss: (lost: () => void) => void toldOfLosses.push(lost),
    begun: () => started,
    stop,
  };
}
