import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { appendContract } from './append-contract.ts';
import { freshPrefix } from './recording.ts';
import { subscribeContract } from './subscribe-contract.ts';

export type Opened = {
  readonly store: EventStore;
  /** A further store on the same log, as a restarted process would open it. `close` closes it too. */
  reopen(): Promise<EventStore>;
  close(): Promise<void>;
};

/** What each test works with: the log of the whole suite, and stream names of its own. */
export type Subject = {
  readonly store: EventStore;
  readonly prefix: string;
  reopen(): Promise<EventStore>;
};

/**
 * The promises of the port. The log is opened once for all tests, may be shared with others, and need not be empty:
 * each test uses stream names of its own.
 */
export function eventStoreContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name} keeps the contract of the event store`, () => {
    let opened: Opened | undefined;
    let prefix = freshPrefix();
    const subject = (): Subject => {
      if (!opened) throw new Error('the store is not open');
      return { ...opened, prefix };
    };

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    beforeEach(() => {
      prefix = freshPrefix();
    });

    appendContract(subject);
    subscribeContract(subject);
  });
}
