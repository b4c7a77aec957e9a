/** The order in which what waits at a port goes on: one call at a time, and the seed says which. */
import type { Random } from '../../random.ts';
import { holdWebCrypto, isNodeAtWork } from './beside-the-loop.ts';
import type { Lane, SimulatedProcess } from './process.ts';
import { real } from './virtual-time.ts';

type Go = () => Promise<void> | void;

export type Turns = {
  /** Calls of one lane go on in the order in which they came. `go` ends when all is over that it brings about. */
  readonly wait: (lane: Lane, go: Go) => void;
  /** Something has moved: until it has come to rest, nothing goes on. */
  readonly stir: () => void;
  /** Nothing that waits there goes on any more. */
  readonly forget: (isGone: (lane: Lane) => boolean) => void;
  /** Lets one call go on. `false` where none waits that may. */
  readonly take: (mayGo: (lane: Lane) => boolean) => Promise<boolean>;
  /** Nobody takes turns any more. */
  readonly end: () => void;
};

/** What was handed on through streams and promises has come to its end after so many turns of the event loop. */
const loops = 3;

const byName = (one: Lane, other: Lane): number => (one.name < other.name ? -1 : 1);

/**
 * Calls of one kind that have nothing to do in their turn but to look: each comes to what is seen then. Any that waits may
 * be the next one, so each has a lane of its own; `named` where those that come at the same time come in any order.
 */
export function callsOf<Seen>(
  turns: Pick<Turns, 'wait'>,
  kind: string,
  look: (named: string) => Promise<Seen> | Seen,
) {
  let calls = 0;
  return (process?: SimulatedProcess, named = String(++calls)): Promise<Seen> =>
    new Promise((resolve) => {
      const name = [kind, named, process?.name].join(' ');
      turns.wait({ name, process }, async () => resolve(await look(named)));
    });
}

export function createTurns(random: Random): Turns {
  const webCrypto = holdWebCrypto();
  const lanes = new Map<Lane, Go[]>();
  let arrived = 0;
  /** Once everything that runs has come to a port, or waits for a timer. */
  const quiet = async () => {
    let seen = -1;
    while (seen !== arrived || isNodeAtWork() || (await webCrypto.letOneGo())) {
      seen = arrived;
      for (let n = 0; n < loops; n++) await new Promise((resolve) => void real.setImmediate(resolve));
    }
  };
  return {
    wait(lane, go) {
      // What has ended hears that its connections close, at no moment of the life: nothing comes of it.
      if (lane.process?.isAlive() === false) return;
      arrived += 1;
      const waiting = lanes.get(lane);
      if (waiting) waiting.push(go);
      else lanes.set(lane, [go]);
    },
    stir() {
      arrived += 1;
    },
    forget(isGone) {
      for (const lane of [...lanes.keys()]) if (isGone(lane)) lanes.delete(lane);
    },
    async take(mayGo) {
      await quiet();
      const ready = [...lanes.keys()].filter(mayGo).toSorted(byName);
      const lane = random.pick(ready);
      const waiting = lane && lanes.get(lane);
      const go = waiting?.shift();
      if (!lane || !go) return false;
      if (waiting?.length === 0) lanes.delete(lane);
      await go();
      return true;
    },
    end: webCrypto.end,
  };
}
