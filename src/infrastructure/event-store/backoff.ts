import { setTimeout as sleep } from 'node:timers/promises';

export type Warns = { warn(fields: object, message: string): void };

const attemptsMax = 5;
const pauseMinMs = 100;
const pauseMaxMs = 10_000;

/** How long to wait after so many failures in a row. */
export const pauseMs = (failures: number) => Math.min(pauseMaxMs, pauseMinMs * 2 ** (failures - 1));

/** Repeats `attempt`, which must be safe to repeat, while its error is transient: five times at most, within seconds. */
export async function retrying<T>(
  isTransient: (error: unknown) => boolean,
  log: Warns,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === attemptsMax || !isTransient(error)) throw error;
      log.warn({ err: error, failures }, 'event store call failed, repeating it');
      await sleep(pauseMs(failures));
    }
  }
}
