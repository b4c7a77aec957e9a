import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { hashOf } from '../../../infrastructure/event-store/seal.ts';
import { consistencyProof, inclusionProof, rootOf } from '../../../infrastructure/log-tree/hashing.ts';
import { signedIn } from '../../../infrastructure/log-tree/keeper.ts';
import { publishedKey } from '../../../infrastructure/log-tree/key.ts';
import { indexOf, nodesIn, reachedIn } from '../../../infrastructure/log-tree/tiles.ts';
import type { Pool } from '../../../infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../../kernel/ids.ts';
import { badField } from '../../../kernel/rejected.ts';
import { type Route, route } from '../../operation.ts';
import { placesIn } from '../places.ts';
import { getProof, listCheckpoints, proofNotFound } from './operations.ts';
import { renderCheckpoint } from './render.ts';

type Deps = { readonly pool: Pool; readonly store: Pick<EventStore, 'read'> };

const places = placesIn({ list: 'checkpoints' });

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export function checkpointRoutes({ pool, store }: Deps): readonly Route[] {
  /** The event, and its place in the tree. Throws `Rejected` for one that is not there, or another platform's. */
  const ownEvent = async (platformId: PlatformId, stream: string, revision: number) => {
    const [event] = await store.read(stream, revision, 1);
    if (event?.metadata.platformId !== platformId) throw proofNotFound();
    const index = await indexOf(pool, event.position);
    if (index === undefined) throw proofNotFound();
    return { index, eventHash: hashOf(event) };
  };

  const usualSize = async (): Promise<number> => (await signedIn(pool, 1))[0]?.size ?? 0;

  return [
    route(listCheckpoints, async ({ query: { limit, cursor } }) => {
      const before = places.placeOf(cursor);
      const found = await signedIn(pool, limit + 1, before === undefined ? undefined : Number(before));
      const data = found.slice(0, limit);
      const last = data.at(-1);
      const more = found.length > limit && last ? { nextCursor: places.cursorOf(last.size) } : {};
      const key = await publishedKey(pool);
      const body = { data: data.map(renderCheckpoint), hasMore: found.length > limit, ...more };
      return { status: 200, body: key === undefined ? body : { ...body, key } };
    }),

    route(getProof, async ({ principal, query: { stream, revision, from, size: asked } }) => {
      if ((stream === undefined) !== (revision === undefined))
        throw badField(stream === undefined ? 'stream' : 'revision', 'is needed beside the other');
      if (stream !== undefined && from !== undefined) throw badField('from', 'is not taken with stream');
      const size = asked ?? (await usualSize());
      // Afterwards: the tree is as large as what was signed of it.
      const { size: grown } = await reachedIn(pool);
      if (size > grown) throw proofNotFound();
      const at = nodesIn(pool);
      const of = { size, root: base64(await rootOf(at, size)) };
      if (stream === undefined || revision === undefined) {
        const former = from ?? 1;
        if (former < 1 || former > size) throw proofNotFound();
        const hashes = (await consistencyProof(at, former, size)).map(base64);
        return { status: 200, body: { ...of, hashes } };
      }
      const { index, eventHash } = await ownEvent(principal.platformId, stream, revision);
      if (index >= size) throw proofNotFound();
      const hashes = (await inclusionProof(at, index, size)).map(base64);
      return { status: 200, body: { ...of, index, eventHash, hashes } };
    }),
  ];
}
