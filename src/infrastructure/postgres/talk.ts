/** What a process says of itself to the others that listen, and hears of them and of its channels. */
import type pg from 'pg';
import { systemIds } from '../../kernel/ids.ts';
import type { Ask } from './one-by-one.ts';
import { createPresence, type Presence } from './presence.ts';
import type { Wakes } from './wakes.ts';

/** Where each process says that it listens. */
export const presenceChannel = 'daybook_listening';

/** A connection, and how it is asked. */
export type Line = { readonly client: pg.Client; readonly say: Ask };

export type Talk = {
  readonly presence: Presence;
  /** Says that this process is there. Also tells whether the connection is alive. */
  speak(to: Line): Promise<unknown>;
  /** A notification has come. */
  notified(by: Line, channel: string, payload?: string): void;
  /** Listens on a channel, and wakes those who are on it. */
  hear(by: Line, channel: string): Promise<void>;
  /** The same, and others learn at once that there is somebody to tell. */
  begin(by: Line, channel: string): Promise<void>;
  leave(by: Line, channel: string): Promise<unknown>;
  /** Says that this process ends. */
  farewell(to: Line): Promise<unknown>;
  /** Calls `told` for every other process that begins to listen on something. Returns what ends it. */
  onNewcomer(told: () => void): () => void;
};

const tellOthers = ({ say }: Line, text: string) => say('select pg_notify($1, $2)', [presenceChannel, text]);

export function talkOf(wakes: Wakes): Talk {
  const presence = createPresence(systemIds.uuid());
  const toldOfNewcomers = new Set<() => void>();

  /** Whoever hears anything after the farewell takes it for a process that is at work. */
  let isOver = false;
  const speak = async (to: Line) =>
    isOver ? undefined : tellOthers(to, presence.says([presenceChannel, ...wakes.channels()]));
  const hear = async ({ client, say }: Line, channel: string) => {
    await say(`listen ${client.escapeIdentifier(channel)}`);
    wakes.wakeAll(channel);
  };

  return {
    presence,
    speak,
    notified(by, channel, payload = '') {
      if (channel !== presenceChannel) return wakes.wakeAll(channel, payload);
      if (!presence.heard(payload)) return;
      for (const told of toldOfNewcomers) told();
      // It has not heard of this one yet. Where this fails, the connection does.
      speak(by).catch(() => undefined);
    },
    hear,
    async begin(by, channel) {
      await hear(by, channel);
      await speak(by);
    },
    leave: ({ client, say }, channel) => say(`unlisten ${client.escapeIdentifier(channel)}`),
    farewell(to) {
      isOver = true;
      return tellOthers(to, presence.farewell);
    },
    onNewcomer(told) {
      toldOfNewcomers.add(told);
      return () => void toldOfNewcomers.delete(told);
    },
  };
}
