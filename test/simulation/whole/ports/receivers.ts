/** Where the platforms' webhooks go: what each has taken, and how it answers. */
import type { Call, Outcome, Sender } from '../../../../src/workers/webhooks/send.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import { questionsTo } from './questions.ts';

export type Taken = {
  /** Whose endpoint. */
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** When, in virtual milliseconds, and how far the log went. */
  readonly at: number;
  readonly logEnd: bigint;
  /** Somebody has asked for it to be sent again. */
  readonly isSentAgain: boolean;
  /** It asked for a decision, and was told that there will be one. */
  readonly isPutOff: boolean;
  /** It was told that nobody is there any more. */
  readonly isGone: boolean;
};

type Deps = {
  readonly turns: Turns;
  readonly faults: Faults;
  readonly now: () => number;
  readonly logEnd: () => Promise<bigint>;
};
/** What a receiver says to a payment that waits for approval; nothing where it decides later. */
export type Decide = (body: string) => object | undefined;

/** Whoever calls counts the time there, and nothing here. */
const hang = ({ timeoutMs }: Call): Promise<Outcome> =>
  new Promise((resolve) =>
    setTimeout(resolve, timeoutMs, { latencyMs: timeoutMs, timedOut: true, error: 'timeout' }),
  );
const lost = (): Outcome => ({ latencyMs: 1, error: 'ECONNRESET' });

export function createReceivers({ turns, faults, now, logEnd }: Deps, decide: Decide) {
  const taken: Taken[] = [];
  const question = questionsTo('receiver', { turns, faults, look: logEnd });
  const answer = (call: Call, reached: bigint): Outcome => {
    const body = call.body.toString();
    const { 'webhook-id': id = '', 'webhook-redelivery': again } = call.headers;
    const asks = call.answerMaxBytes !== undefined;
    const decision = asks ? decide(body) : undefined;
    const isPutOff = asks && decision === undefined;
    const known = { at: now(), logEnd: reached };
    const isGone = faults.strikes('receiver is gone for good');
    taken.push({ url: call.url, id, body, ...known, isSentAgain: again !== undefined, isPutOff, isGone });
    if (isGone) return { status: 410, latencyMs: 1 };
    if (faults.strikes('receiver takes it and answers 500')) return { status: 500, latencyMs: 1 };
    const text = decision && { text: JSON.stringify(decision) };
    return { status: isPutOff ? 202 : 200, latencyMs: 1, ...text };
  };
  return {
    taken: taken as readonly Taken[],
    /** The way there of one process. */
    senderOf: (process: SimulatedProcess): Sender => ({
      send: (call) =>
        question({
          process,
          ask: (reached) => answer(call, reached),
          hang: () => hang(call),
          // Calls that are signed at the same time come in any order.
          named: String(call.headers['webhook-id']),
        }).catch(lost),
      close: () => undefined,
    }),
  };
}
