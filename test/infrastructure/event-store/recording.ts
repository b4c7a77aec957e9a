import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type {
  EventStore,
  JsonObject,
  NewEvent,
  StoredEvent,
  SubscribeOptions,
} from '../../../src/infrastructure/event-store/event-store.ts';
import { patienceMs } from '../../support/time/patience.ts';

export const aNewEvent = (data: JsonObject = {}, type = 'Noted'): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: {
    platformId: 'Platform:1',
    correlationId: 'request-1',
    causationId: 'request-1',
    actor: 'tester',
    at: '2025-10-13T00:00:00.000Z',
  },
});

export const newEvents = (count: number, data: JsonObject = {}) =>
  Array.from({ length: count }, () => aNewEvent(data));

export const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

/** Stream names that no other test, and no earlier run on the same server, has used. */
export const freshPrefix = () => `contract-${randomUUID()}.`;

/** The position of a fresh event of another stream: what the test appends later lies after it. */
export async function here(store: EventStore): Promise<bigint> {
  const { position } = await store.append(`${freshPrefix()}here`, 'none', newEvents(1));
  return position;
}

/** Waits long enough for a slow machine and a reconnect, and no longer than needed. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: patienceMs, interval: 10 });

export type Recording = {
  readonly events: readonly StoredEvent[];
  readonly batchSizes: readonly number[];
  /** The most `consume` calls that ever ran at the same time. */
  readonly concurrentMax: number;
  readonly done: Promise<void>;
  stop(): Promise<void>;
  /** Waits for at least so many events. */
  reached(count: number): Promise<void>;
};

type RecordOptions = Partial<Omit<SubscribeOptions, 'consume'>> & {
  readonly whenGiven?: (events: readonly StoredEvent[]) => Promise<void> | void;
};

/** A subscription that writes down what it is given, after `whenGiven` has let it through. */
export function record(store: EventStore, { after, whenGiven, ...options }: RecordOptions): Recording {
  const events: StoredEvent[] = [];
  const batchSizes: number[] = [];
  let running = 0;
  let concurrentMax = 0;
  const consume = async (given: readonly StoredEvent[]) => {
    running += 1;
    concurrentMax = Math.max(concurrentMax, running);
    await whenGiven?.(given);
    events.push(...given);
    batchSizes.push(given.length);
    running -= 1;
  };
  const subscription = store.subscribeToAll({ ...options, after, consume });
  return {
    events,
    batchSizes,
    get concurrentMax() {
      return concurrentMax;
    },
    done: subscription.done,
    stop: () => subscription.stop(),
    reached: (count) =>
      eventually(() => {
        if (events.length < count) throw new Error(`${events.length} of ${count} events arrived`);
      }),
  };
}
