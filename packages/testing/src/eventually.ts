import { setTimeout as sleep } from 'node:timers/promises';

const firstPauseMs = 5;
const pauseMaxMs = 200;

/**
 * Asks again and again until `ask` does not throw and `isDone` holds of its answer, which it returns. After `timeoutMs`
 * (10,000 unless said otherwise) throws what `ask` threw last, or an error with its last answer.
 */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
  isDone: (answer: Answer) => boolean = () => true,
  timeoutMs = 10_000,
): Promise<Answer> {
  const end = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMaxMs, pauseMs * 2)) {
    const isLast = performance.now() >= end;
    try {
      const answer = await ask();
      if (isDone(answer)) return answer;
      if (isLast) throw new Error(`not within ${timeoutMs} ms; the last answer: ${JSON.stringify(answer)}`);
    } catch (error) {
      if (isLast) throw error;
    }
    await sleep(pauseMs);
  }
}
