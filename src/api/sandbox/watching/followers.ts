/** Streams of a platform's events, to whoever follows them. */

import type { EventStore, StoredEvent } from '../../../infrastructure/event-store/event-store.ts';
import type { Progress } from '../../../infrastructure/event-store/progress.ts';
import type { EventStream, SentEvent } from '../../../infrastructure/http/event-stream.ts';
import type { PlatformId } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { shownCause } from '../../fields/cause.ts';
import { ownData } from '../../fields/own-data.ts';

/** Of one process, and of them those of one platform. */
export const followersMax = { process: 100, platform: 10 };
const retryAfterSeconds = 5;

export type Followers = {
  /** Throws `Rejected` (RATE_LIMITED) for one too many. */
  readonly follow: (platformId: PlatformId, from: From) => Promise<EventStream>;
  /** Ends all streams, and begins no more. */
  readonly stop: () => Promise<void>;
};

type From = {
  /** The place in the log after which to begin; the end of the log where it is left out. */
  readonly after: bigint | undefined;
  readonly seconds: number;
};
type Deps = {
  readonly store: Pick<EventStore, 'subscribeToAll' | 'last'>;
  readonly progress: Pick<Progress, 'waitFor'>;
  /** An event is sent then, whether the read models have it or not. */
  readonly projectionWaitMs: number;
};

export function createFollowers({ store, progress, projectionWaitMs }: Deps): Followers {
  const following = new Map<() => void, PlatformId>();
  let isStopped = false;
  const requireRoom = (platformId: PlatformId) => {
    const own = [...following.values()].filter((one) => one === platformId).length;
    if (isStopped || own >= followersMax.platform || following.size >= followersMax.process) throw tooMany();
  };
  return {
    async follow(platformId, { after, seconds }) {
      const from = after ?? (await store.last());
      requireRoom(platformId);
      return {
        maxMs: seconds * 1_000,
        open({ send, passed }, end) {
          // Others may have begun since, or the service ends.
          requireRoom(platformId);
          const { stop, done } = store.subscribeToAll({
            after: from,
            async consume(events) {
              const own = events.filter((event) => isNewsOf(platformId, event));
              const last = own.at(-1);
              if (last) await progress.waitFor(last.position, projectionWaitMs);
              for (const event of own) await send(shown(event));
              // Who comes back goes on here, however much of the log was somebody else's.
              const read = events.at(-1);
              if (read && read !== last) await passed(read.position.toString());
            },
          });
          done.catch(end);
          following.set(end, platformId);
          return () => {
            following.delete(end);
            stop().catch(() => undefined);
          };
        },
      };
    },
    async stop() {
      isStopped = true;
      for (const end of following.keys()) end();
    },
  };
}

/** Whoever takes a name ends claims on it that another platform may have begun: these events name what is that one's. */
const isEndOfClaim = (type: string): boolean => type.endsWith('ClaimEnded');

/** What a platform that was put back had before is no news. */
const isNewsOf = (platformId: string, { type, metadata }: StoredEvent): boolean =>
  metadata.platformId === platformId && metadata.copyOf === undefined && !isEndOfClaim(type);

/**
 * Without who of the operator's people did it, whom its sealed texts are about, and what another platform has or has asked
 * for. Its hashes are left out as well: they are of all that the log has, so that nobody could check them with this.
 */
function shown({ id, type, stream, position, metadata, data }: StoredEvent): SentEvent {
  const {
    platformId,
    actor: _by,
    correlationId,
    causationId,
    key: _key,
    personal: _of,
    hash: _own,
    previousHash: _before,
    ...circumstances
  } = metadata;
  const { actor, isOwn } = isByOther(platformId, data) ? byOther : shownCause(metadata);
  const by = {
    ...circumstances,
    actor,
    ...(isOwn && { correlationId, causationId }),
  };
  return {
    id: position.toString(),
    event: type,
    data: JSON.stringify({ id, type, stream, metadata: by, data: ownData(platformId, data) }),
  };
}

/** An invitation is claimed by whom it was given, on the stream of who made it. */
const isByOther = (platformId: string, { claimedBy = platformId }: StoredEvent['data']): boolean =>
  claimedBy !== platformId;
const byOther = { actor: 'another platform', isOwn: false };

const tooMany = () =>
  new Rejected('RATE_LIMITED', `Too many follow the events. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
