import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** So long those who come next are waited for, where there are many. */
const gatherMs = 2;
/** One request alone makes batches of so many. */
const fewMax = 4;

/** After a batch of many, waits a moment for more. */
export async function gather(size: number): Promise<void> {
  if (size > fewMax) await sleep(gatherMs);
}

/**
 * What arrives while a batch is under way makes the next one: at most one batch at a time, of at most `most` items.
 * After a batch of many the next waits a moment to become as many: it costs hardly more than a small one. `work` must
 * settle every item itself and not throw. It runs for nobody in particular: not in the time, nor for the account, of who
 * came first.
 */
export function inBatches<Item>(
  most: number,
  work: (items: readonly Item[]) => Promise<void>,
): (item: Item) => void {
  const waiting: Item[] = [];
  const forNobody = AsyncLocalStorage.snapshot();
  let busy = false;
  const drain = async () => {
    while (waiting.length > 0) {
      const items = waiting.splice(0, most);
      await work(items);
      if (waiting.length < items.length) await gather(items.length);
    }
    busy = false;
  };
  return (item) => {
    waiting.push(item);
    // The others of this turn of the event loop travel with it.
    if (!busy) {
      busy = true;
      queueMicrotask(() => void forNobody(drain));
    }
  };
}

/**
 * Questions that come together are asked together. `answers` gives the answer to each, in their order; what it throws is
 * thrown to all of them.
 */
export function askedTogether<Question, Answer>(
  most: number,
  answers: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  type Waiting = {
    readonly question: Question;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  };
  const ask = inBatches<Waiting>(most, async (waiting) => {
    try {
      const all = await answers(waiting.map(({ question }) => question));
      for (const [n, { resolve }] of waiting.entries()) resolve(all[n] as Answer);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  });
  return (question) => new Promise((resolve, reject) => ask({ question, resolve, reject }));
}
