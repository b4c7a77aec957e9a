/** Events of a snapshot, copied to the streams with which a platform goes on. */
import { isStreamOf } from '../../domain/streams.ts';
import type { EventStore, NewEvent, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import { movedName } from '../../infrastructure/event-store/moved-owners.ts';
import { type Head, sealed } from '../../infrastructure/event-store/seal.ts';
import { derivedUuid } from '../../kernel/ids.ts';

/** A stream as it was: under which name the log has it, up to which revision. */
export type KeptStream = { readonly stream: string; readonly place: string; readonly revision: number };

const atOnce = 32;
const pageMax = 100;

/**
 * Safe to repeat: the copies have the same ids each time. Returns how many they are. A wallet's stream comes after those of
 * accounts: what it says is written to the row of an account.
 */
export async function copyStreams(
  log: EventStore,
  streams: readonly KeptStream[],
  generation: number,
): Promise<number> {
  const { wallets = [], others = [] } = Object.groupBy(streams, ({ stream }) =>
    isStreamOf('wallet', stream) ? 'wallets' : 'others',
  );
  const copied = await copyInAnyOrder(log, others, generation);
  return copied + (await copyInAnyOrder(log, wallets, generation));
}

async function copyInAnyOrder(
  log: EventStore,
  streams: readonly KeptStream[],
  generation: number,
): Promise<number> {
  const waiting = streams.values();
  let copied = 0;
  const work = async () => {
    for (const { stream, place, revision } of waiting) {
      const to = movedName(stream, generation);
      let head: Head = { revision: -1, hash: undefined };
      while (head.revision < revision) {
        const from = head.revision + 1;
        const page = await log.read(place, from, Math.min(pageMax, revision - from + 1));
        if (page.length === 0) throw new Error(`revision ${from} of ${place} is not in the log`);
        const copies = sealed(
          to,
          head,
          page.map((event) => copyOf(event, to)),
        );
        await log.append(to, from === 0 ? 'none' : from - 1, copies);
        head = { revision: from + page.length - 1, hash: copies.at(-1)?.metadata.hash };
        copied += page.length;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return copied;
}

function copyOf({ id, type, data, revision, metadata }: StoredEvent, to: string): NewEvent {
  const { hash: _own, previousHash: _before, ...rest } = metadata;
  return { id: derivedUuid('copy', to, String(revision)), type, data, metadata: { ...rest, copyOf: id } };
}
