/** Keys in a database of their own, for processes that share it. */
import { onTestFinished } from 'vitest';
import { fingerprintOf } from '../../../../src/infrastructure/http/once/fingerprint.ts';
import {
  type Begun,
  type IdempotencyStore,
  idempotencyStore,
} from '../../../../src/infrastructure/http/once/idempotency.ts';
import { createPool } from '../../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../../support/postgres/database.ts';
import { emptyBooks } from '../../../support/postgres/read-models.ts';
import { movableClock } from '../../../support/time/movable-clock.ts';

export const asked = fingerprintOf({ amount: 1 });

type Options = Pick<Parameters<typeof idempotencyStore>[0], 'requestMaxMs' | 'takenBack'>;

export async function keptAnswers() {
  const { url } = await emptyBooks();
  const clock = movableClock();
  const pool = createPool({ url, max: 2, name: 'test-keys' });
  onTestFinished(() => pool.end());
  const otherStore = (options: Options = {}) => idempotencyStore({ pool, now: clock.now, ...options });
  const kept = () => query<{ scope: string }>(url, 'select scope from daybook.idempotency_keys');
  return { store: otherStore(), otherStore, clock, url, kept };
}

/** The right to run, which nobody else has. */
export async function begin(store: IdempotencyStore, scope: string): Promise<Begun> {
  const begun = await store.begin(scope, asked);
  if ('status' in begun) throw new Error(`${scope} has an answer`);
  return begun;
}
