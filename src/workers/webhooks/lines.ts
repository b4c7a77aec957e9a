/** Counts the calls under way, and says how many more there may be: in all, and to each platform. */
import type { PlatformId } from '../../kernel/ids.ts';

/** Calls of one process at a time; most of the time of each is waiting for a receiver. */
export const callsMax = 256;
/** Calls to one platform at a time, so that a slow receiver leaves room for the others. */
export const perPlatformMax = 32;
/** And to one whose last call got no answer. */
export const perSilentPlatformMax = 2;
/** Room is filled when there is so much of it, lest each call be claimed by a statement of its own. */
const worthFilling = 0.25;

export type Room = {
  readonly calls: number;
  /** Platforms that may have fewer than `perPlatformMax` more. */
  readonly platforms: ReadonlyMap<PlatformId, number>;
};

export type Lines = {
  readonly room: () => Room;
  /** Calls begin: as many as were found for the room that there was. */
  readonly begun: (platformIds: readonly PlatformId[], room: Room) => void;
  /** A call has ended. Whether there is room again for what had found none. */
  readonly ended: (platformId: PlatformId) => boolean;
  /** The platform has answered a call, or has not. */
  readonly answered: (platformId: PlatformId, answer: boolean) => void;
};

export function createLines(): Lines {
  const calls = new Map<PlatformId, number>();
  const silent = new Set<PlatformId>();
  /** Platforms of which there may be more than there was room for. */
  const crowded = new Set<PlatformId>();
  let underWay = 0;
  let allCrowded = false;

  const maxOf = (platformId: PlatformId) => (silent.has(platformId) ? perSilentPlatformMax : perPlatformMax);
  const roomOf = (platformId: PlatformId) => Math.max(0, maxOf(platformId) - (calls.get(platformId) ?? 0));

  return {
    room() {
      const limited = new Set([...calls.keys(), ...silent]);
      return {
        calls: callsMax - underWay,
        platforms: new Map([...limited].map((platformId) => [platformId, roomOf(platformId)])),
      };
    },
    begun(platformIds, room) {
      const counts = new Map(room.platforms.keys().map((platformId) => [platformId, 0]));
      for (const platformId of platformIds) {
        counts.set(platformId, (counts.get(platformId) ?? 0) + 1);
        calls.set(platformId, (calls.get(platformId) ?? 0) + 1);
      }
      underWay += platformIds.length;
      allCrowded = platformIds.length >= room.calls;
      for (const [platformId, count] of counts)
        if (count >= (room.platforms.get(platformId) ?? perPlatformMax)) crowded.add(platformId);
        else crowded.delete(platformId);
    },
    ended(platformId) {
      const left = (calls.get(platformId) ?? 1) - 1;
      if (left > 0) calls.set(platformId, left);
      else calls.delete(platformId);
      underWay--;
      if (allCrowded && callsMax - underWay >= callsMax * worthFilling) return true;
      return crowded.has(platformId) && roomOf(platformId) >= maxOf(platformId) * worthFilling;
    },
    answered(platformId, answer) {
      if (answer) silent.delete(platformId);
      else silent.add(platformId);
    },
  };
}
