/** Platforms that have gone back to a snapshot: what they have then, and what nobody sees any more. */
import { isDeepStrictEqual } from 'node:util';
import { readBooks } from '../../invariants/books.ts';
import { type Asked, decides, type Heard } from '../client.ts';
import type { WayBack } from '../evidence/timelines.ts';
import type { Known, Rule } from './rules.ts';

/** How a snapshot was taken, by its id: whoever was not answered does not know of it. */
const takenIn = ({ asked }: Known): ReadonlyMap<string, Asked & { readonly answer: Heard }> =>
  new Map(
    asked.flatMap((one) => {
      const [answer] = one.answers;
      if (one.path !== '/sandbox/snapshots' || answer?.status !== 201) return [];
      return [[answer.body.id as string, { ...one, answer }]];
    }),
  );

const pathTo = ({ snapshotId }: WayBack): string => `/sandbox/snapshots/${snapshotId}/restore`;

export const ofReturns: Readonly<Record<string, Rule>> = {
  *'a platform goes back to what it had at the snapshot, and to nothing else'(known) {
    const { timelines } = known;
    const taken = takenIn(known);
    const positions = new Map(timelines.happened.map(({ id, position }) => [id, position]));
    for (const way of timelines.waysBack) {
      const { position, platformId, snapshotId, copied } = way;
      if (isOvertaken(known, way)) continue;
      const snapshot = taken.get(snapshotId);
      if (!snapshot) {
        yield `${snapshotId} was never taken`;
        continue;
      }
      const { from, answer } = snapshot;
      const had = timelines
        .at(from)
        .filter(
          ({ id, metadata }) => metadata.platformId === platformId && (positions.get(id) ?? 0n) <= answer.to,
        );
      const copies = new Set(copied);
      if (copies.size !== copied.length) yield `${copied.length - copies.size} events twice at ${position}`;
      const last = copied.reduce((most, id) => {
        const one = positions.get(id) ?? 0n;
        return one > most ? one : most;
      }, 0n);
      for (const { id, type, stream, position: at } of had) {
        if (/^(installation|restorations)-/.test(stream)) continue;
        const isBefore = at <= from || at <= last;
        if (isBefore !== copies.has(id)) yield `${type} at ${at} for ${last} of ${from} to ${answer.to}`;
      }
      if (last > answer.to) yield `${last} after ${answer.to}`;
    }
  },

  *'a copy says what its original says, for the same platform'({ stored }) {
    const byId = new Map(stored.map((event) => [event.id, event]));
    for (const { id, type, data, stream, metadata } of stored) {
      const original = metadata.copyOf === undefined ? undefined : byId.get(metadata.copyOf);
      if (metadata.copyOf === undefined) continue;
      const isSame =
        original?.type === type &&
        isDeepStrictEqual(original.data, data) &&
        original.metadata.platformId === metadata.platformId &&
        original.stream.replace(/\.\d+$/, '') === stream.replace(/\.\d+$/, '');
      if (!isSame) yield `${type} ${id} in ${stream}`;
    }
  },

  *'whoever was told of a way back has gone it, and nobody else'({ asked, timelines }) {
    const requests = asked.filter(({ path }) => path.endsWith('/restore'));
    for (const way of timelines.waysBack)
      if (!requests.some(({ path, from }) => path === pathTo(way) && from < way.position))
        yield `nobody asked for ${way.snapshotId} at ${way.position}`;
    for (const { path, answers } of requests)
      for (const { status, from, to } of answers)
        if (
          status === 200 &&
          !timelines.waysBack.some((way) => pathTo(way) === path && way.position > from && way.position <= to)
        )
          yield `${path} from ${from} to ${to}`;
  },

  *'a key that was answered before a snapshot has that answer afterwards'(known) {
    const taken = takenIn(known);
    for (const { snapshotId, position } of known.timelines.waysBack) {
      const { by, from } = taken.get(snapshotId) ?? {};
      if (from === undefined) continue;
      for (const { by: asker, key, path, answers } of known.asked) {
        if (!key || asker !== by) continue;
        const all = answers.filter(decides);
        // What was answered across another way back is nobody's answer yet.
        const before = all.findLast(
          (answer) => answer.to <= from && known.at(answer.from) === known.at(from),
        );
        for (const { from: since, status, body } of before ? all : [])
          if (
            since >= position &&
            since < nextWayBack(known, position) &&
            !isDeepStrictEqual(body, before?.body)
          )
            yield `${path} under ${key}: ${before?.status} and ${status}`;
      }
    }
  },

  *'the books are right until a platform goes back, as they are afterwards'({ timelines, at }) {
    for (const { position } of timelines.waysBack)
      for (const { rule, why } of readBooks(at(position - 1n).finished).wrong) yield `${rule}: ${why}`;
  },
};

/** Before anything is copied another may name what had come to the log just before this one. */
const isOvertaken = (
  { timelines }: Known,
  { position, platformId, snapshotId, copied }: WayBack,
): boolean => {
  const next = timelines.waysBack.find((way) => way.platformId === platformId && way.position > position);
  return copied.length === 0 && next?.snapshotId === snapshotId;
};

/** Where the next way back is. */
export const nextWayBack = ({ timelines }: Known, position: bigint): bigint =>
  timelines.waysBack.find((way) => way.position > position)?.position ?? 2n ** 63n;
