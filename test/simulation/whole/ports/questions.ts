/** Who is asked outside of the installation, and all that can go wrong with a question: each party answers in its own way. */

import type { SimulatedProcess } from '../engine/process.ts';
import { callsOf, type Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';

export type Party = 'rail' | 'screening' | 'receiver' | 'mail server';

type Deps<Seen> = {
  readonly turns: Pick<Turns, 'wait'>;
  readonly faults: Pick<Faults, 'strikes'>;
  /** What is known besides of a question when it comes there: how far the log goes, for one. */
  readonly look: (named: string) => Promise<Seen> | Seen;
};

type Question<Seen, Answer> = {
  /** Whose question it is: what has ended asks nothing, and hears nothing. */
  readonly process: SimulatedProcess;
  /** Asked twice where the question is repeated on its way. */
  readonly ask: (seen: Seen) => Promise<Answer> | Answer;
  /** In place of an answer that never comes, where whoever asks does not count the time. */
  readonly hang?: () => Promise<Answer>;
  /** What tells it from others that come at the same time, in any order. */
  readonly named?: string;
};

export class NoAnswer extends Error {
  constructor() {
    super('no answer');
  }
}

const never = <Answer>(): Promise<Answer> => new Promise(() => undefined);

/** A question waits for its turn on the way there, and its answer on the way back. Throws `NoAnswer` where one is lost. */
export function questionsTo<Seen>(party: Party, { turns, faults, look }: Deps<Seen>) {
  const there = callsOf(turns, `to ${party}`, look);
  const back = callsOf(turns, `from ${party}`, () => undefined);
  return async <Answer>({ process, ask, hang = never, named }: Question<Seen, Answer>): Promise<Answer> => {
    const seen = await there(process, named);
    if (faults.strikes(`${party} hangs`)) return hang();
    if (faults.strikes(`${party} gives no answer before it took it`)) throw new NoAnswer();
    if (faults.strikes(`${party} asked twice`)) await ask(seen);
    const answer = await ask(seen);
    await back(process, named);
    if (faults.strikes(`${party} gives no answer after it took it`)) throw new NoAnswer();
    return answer;
  };
}
