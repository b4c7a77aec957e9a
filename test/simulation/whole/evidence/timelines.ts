/**
 * The log as it looked at each moment. Where a platform has gone back to a snapshot, what it had since is seen no more, and
 * what it had then is copied: here an event is told once, at its own position, for as long as it was seen.
 */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';

/** A platform has gone back: from this position on it has what the copies say. */
export type WayBack = {
  readonly position: bigint;
  readonly platformId: string;
  readonly snapshotId: string;
  /** What it had in the log until then, by the ids of events. */
  readonly had: ReadonlySet<string>;
  /** What was copied, by the ids of the events that the copies are of in the end. */
  readonly copied: readonly string[];
};

export type Timelines = {
  readonly waysBack: readonly WayBack[];
  /** All that ever happened, once. */
  readonly happened: readonly DomainEvent[];
  /** What was seen from the last way back before a position until the next one. */
  readonly at: (position: bigint) => readonly DomainEvent[];
  /** From where on an event was seen no more. */
  readonly goneAt: (id: string) => bigint | undefined;
};

/** Whose streams do not go back with a platform. */
const ofInstallation = /^(installation|restorations)-/;
const generationOf = /\.(\d+)$/;

/** `log` has copies as well as what they are copies of. */
export function timelinesOf(log: readonly DomainEvent[]): Timelines {
  const origins = new Map<string, string>();
  const copies = new Map<string, string[]>();
  const happened: DomainEvent[] = [];
  for (const event of log) {
    const { id, stream, metadata } = event;
    const { platformId, copyOf } = metadata;
    if (copyOf === undefined) {
      happened.push({ ...event, stream: stream.replace(generationOf, '') });
      continue;
    }
    const origin = origins.get(copyOf) ?? copyOf;
    origins.set(id, origin);
    const name = `${platformId} ${generationOf.exec(stream)?.[1]}`;
    copies.set(name, [...(copies.get(name) ?? []), origin]);
  }

  let seen = new Map<string, DomainEvent>();
  const gone = new Map<string, bigint>();
  const waysBack: WayBack[] = [];
  const eras: (readonly DomainEvent[])[] = [];
  const endEra = () => {
    const all = [...seen.values()];
    eras.push(all.toSorted((one, other) => (one.position < other.position ? -1 : 1)));
  };
  const byId = new Map(happened.map((event) => [event.id, event]));
  for (const event of happened) {
    if (event.type === 'PlatformStateRestored') {
      endEra();
      const { position, data } = event;
      const { platformId, snapshotId, generation } = data;
      const copied = copies.get(`${platformId} ${generation}`) ?? [];
      const had = new Set<string>();
      for (const { id, stream, metadata } of seen.values())
        if (metadata.platformId === platformId && !ofInstallation.test(stream)) had.add(id);
      waysBack.push({ position, platformId, snapshotId, had, copied });
      const stays = new Set(copied);
      seen = new Map([...seen].filter(([id]) => !had.has(id) || stays.has(id)));
      for (const id of had) if (!stays.has(id)) gone.set(id, position);
      for (const id of stays) {
        const back = byId.get(id);
        if (back) seen.set(id, back);
        gone.delete(id);
      }
    }
    seen.set(event.id, event);
  }
  endEra();
  return {
    waysBack,
    happened,
    at: (position) => eras[waysBack.filter((one) => one.position <= position).length] ?? [],
    goneAt: (id) => gone.get(id),
  };
}
