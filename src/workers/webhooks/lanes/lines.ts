/** Counts the calls under way, and says how many more there may be: in all, and to each endpoint. */
import type { PlatformId } from '../../../kernel/ids.ts';
import { type Lane, type Limits, laneAfter, type Standing, standingOf } from './lane.ts';

/** Two kinds of calls that do not wait for each other. */
export type Kind = 'notices' | 'approvals';

type Bounds = {
  /** Calls of one process at a time to endpoints that answer promptly; most of the time of each is waiting. */
  readonly promptMax: number;
  /** And to all others, so that these hold up nobody but each other. */
  readonly othersMax: number;
  readonly limits: Limits;
};

export const bounds: Readonly<Record<Kind, Bounds>> = {
  notices: {
    promptMax: 256,
    othersMax: 512,
    limits: { prompt: 32, slow: 8, unknown: 4, silent: 1 },
  },
  approvals: {
    promptMax: 128,
    othersMax: 128,
    limits: { prompt: 16, slow: 4, unknown: 4, silent: 1 },
  },
};

/** Room is filled when there is so much of it, lest each call be claimed by a statement of its own. */
const worthFilling = 0.25;

/** An endpoint that is being called. `slow` counts those of its calls that take long. */
export type Busy = { readonly calls: number; readonly slow: number };

export type Room = {
  /** Calls to prompt endpoints, and to all others. */
  readonly prompt: number;
  readonly others: number;
  readonly busy: ReadonlyMap<PlatformId, Busy>;
};

export type Begun = { readonly platformId: PlatformId; readonly lane: Lane };
type Called = { readonly answered: boolean; readonly latencyMs: number };

export type Lines = {
  readonly room: () => Room;
  /** Calls begin, found for the room that there was. */
  readonly begun: (claimed: readonly Begun[], room: Room) => void;
  /** A call takes long. Whether there is room now for what had found none. */
  readonly slowed: (platformId: PlatformId) => boolean;
  /** What has become of a lane by a call; undefined where it is as it was. */
  readonly called: (platformId: PlatformId, call: Called, now: number) => Lane | undefined;
  /** A call has ended. Whether there is room again for what had found none. */
  readonly ended: (platformId: PlatformId, wasSlow: boolean) => boolean;
};

type Entry = { calls: number; slow: number; lane: Lane; isCrowded: boolean };

export function createLines(kind: Kind): Lines {
  const { promptMax, othersMax, limits } = bounds[kind];
  const entries = new Map<PlatformId, Entry>();
  /** Calls, by whether they are to prompt endpoints. */
  const filled = { prompt: false, others: false };

  const standing = ({ slow, lane }: Entry): Standing => {
    const now = standingOf(lane);
    return now === 'prompt' && slow > 0 ? 'slow' : now;
  };
  const sideOf = (entry: Entry) => (standing(entry) === 'prompt' ? 'prompt' : 'others');
  const left = () => {
    const rest = { prompt: promptMax, others: othersMax };
    for (const entry of entries.values()) rest[sideOf(entry)] -= entry.calls;
    return { prompt: Math.max(0, rest.prompt), others: Math.max(0, rest.others) };
  };
  const hasRoomAgain = (): boolean => {
    const { prompt, others } = left();
    return (
      (filled.prompt && prompt >= promptMax * worthFilling) ||
      (filled.others && others >= othersMax * worthFilling)
    );
  };

  return {
    room: () => ({
      ...left(),
      busy: new Map([...entries].map(([id, { calls, slow }]) => [id, { calls, slow }])),
    }),
    begun(claimed, room) {
      const begunOf = { prompt: 0, others: 0 };
      for (const { platformId, lane } of claimed) {
        const entry = entries.get(platformId) ?? { calls: 0, slow: 0, lane, isCrowded: false };
        entries.set(platformId, entry);
        entry.calls++;
        begunOf[sideOf(entry)]++;
      }
      filled.prompt = begunOf.prompt >= room.prompt;
      filled.others = begunOf.others >= room.others;
      for (const entry of entries.values()) entry.isCrowded = entry.calls >= limits[standing(entry)];
    },
    slowed(platformId) {
      const entry = entries.get(platformId);
      if (entry) entry.slow++;
      return hasRoomAgain();
    },
    called(platformId, call, now) {
      const entry = entries.get(platformId);
      if (!entry) return undefined;
      const lane = laneAfter(entry.lane, call, now, platformId);
      if (lane === entry.lane) return undefined;
      entry.lane = lane;
      return lane;
    },
    ended(platformId, wasSlow) {
      const entry = entries.get(platformId);
      if (!entry) return false;
      entry.calls--;
      if (wasSlow) entry.slow--;
      const most = limits[standing(entry)];
      const isWorth = entry.isCrowded && most - entry.calls >= most * worthFilling;
      if (entry.calls === 0) entries.delete(platformId);
      return isWorth || hasRoomAgain();
    },
  };
}
