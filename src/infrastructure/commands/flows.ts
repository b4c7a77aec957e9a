/** What follows from events: the reactions to them, and the commands of those. Of one event at most one run is under way. */
import type {
  Aggregates,
  EventMetadata,
  InstructionOf,
  ReactionOf,
  RecordedOf,
} from '../../kernel/aggregate.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { PlatformTimes } from '../clock/platform-times.ts';
import { whateverTheTime } from '../deadlines/deadline.ts';
import { createMemory } from '../remembered/memory.ts';
import { PassingMap } from '../remembered/passing.ts';

/** Events whose reactions are known to have run, so that the subscription need not run them again. */
export const reactedMax = 10_000;

/** Told the position up to which the log has what was led to. */
type Seen = (position: bigint) => void;

/** What follows from one event while it is being carried out, how far the log has it by now, and who is told so at the end. */
type Flow = {
  done: Promise<void> | undefined;
  position: bigint | undefined;
  readonly told: Seen[];
};

/** The instructions of each reaction that has any. */
type Following<A extends Aggregates> = readonly (readonly InstructionOf<A>[])[];

/** Why a command of a reaction is run, who is told how far the log has it, and what throws where its event is left. */
type PolicyCause = Pick<EventMetadata, 'platformId' | 'correlationId' | 'causationId' | 'actor'> & {
  readonly seen: Seen;
  readonly requireSame?: () => void;
};

/** Whether a stream has gone on elsewhere since it had the event, without it. */
export type IsLeft = (event: { readonly stream: string; readonly position: bigint }) => boolean;

type Deps<A extends Aggregates> = {
  readonly reactions: readonly ReactionOf<A>[];
  readonly run: (to: string, uuid: string, command: unknown, cause: PolicyCause) => Promise<unknown>;
  readonly times: Pick<PlatformTimes, 'nowOf' | 'isAnyMoved'> | undefined;
  readonly isLeft: IsLeft | undefined;
};

type Flows<A extends Aggregates> = {
  /**
   * Runs what follows from an event. The request that recorded it and the subscription may both come to this at the
   * same moment; the second waits for the run of the first, and so for all that it leads to.
   */
  follow(event: RecordedOf<A>, seen: Seen | undefined): Promise<void> | undefined;
  /** The same, unless it is known to have been run. */
  react(event: RecordedOf<A>, seen: Seen | undefined): Promise<void> | undefined;
};

export function flowsOf<A extends Aggregates>({ reactions, run, times, isLeft }: Deps<A>): Flows<A> {
  const reacted = createMemory(reactedMax);
  const flows = new PassingMap<string, Flow>();

  const follow = (event: RecordedOf<A>, seen: Seen | undefined): Promise<void> | undefined => {
    let flow = flows.get(event.id);
    if (!flow) {
      const following = reactions.map((reaction) => reaction(event)).filter(({ length }) => length > 0);
      if (following.length === 0) {
        reacted.add(event.id);
        return undefined;
      }
      flow = startFlow(event, following);
    }
    if (seen) flow.told.push(seen);
    return flow.done;
  };

  const startFlow = (event: RecordedOf<A>, following: Following<A>): Flow => {
    const flow: Flow = { done: undefined, told: [], position: undefined };
    flows.set(event.id, flow);
    flow.done = whateverTheTime(() => carryOut(event, following, flow));
    return flow;
  };

  const carryOut = async (event: RecordedOf<A>, following: Following<A>, flow: Flow): Promise<void> => {
    const { platformId, correlationId } = event.metadata;
    const seen = (position: bigint) => {
      if (flow.position === undefined || position > flow.position) flow.position = position;
    };
    const requireSame = () => {
      if (isLeft?.(event)) throw left(event.id);
    };
    const by = { correlationId, causationId: event.id, actor: 'policy' };
    const cause = { platformId, ...by, seen, ...(isLeft && { requireSame }) };
    const failures: unknown[] = [];
    // The commands of one reaction rest on each other; those of another do not.
    for (const instructions of following) {
      try {
        for (const { to, uuid, command, platformId: other } of instructions) {
          if (other === undefined || other === platformId) await run(to, uuid, command, cause);
          else await run(to, uuid, inTimeOf(other, command), { ...cause, platformId: other });
        }
      } catch (error) {
        // Whatever follows from it would be of a past that is no more.
        if (!isLeft?.(event)) failures.push(error);
      }
    }
    flows.delete(event.id);
    if (flow.position !== undefined) for (const told of flow.told) told(flow.position);
    if (failures.length > 0) throw failures[0];
    reacted.add(event.id);
  };

  /** What one platform's event leads to for another happens in the time of that one. */
  const inTimeOf = (platformId: string, command: unknown): unknown => {
    const isTimed = typeof command === 'object' && command !== null && 'at' in command;
    return times?.isAnyMoved() && isTimed ? { ...command, at: times.nowOf(platformId) } : command;
  };

  return { follow, react: (event, seen) => (reacted.has(event.id) ? undefined : follow(event, seen)) };
}

/** Nobody is told. */
const left = (eventId: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `Event ${eventId} is of a past that its platform has left.`);
