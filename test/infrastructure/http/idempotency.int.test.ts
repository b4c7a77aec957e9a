import { describe, expect, it, onTestFinished } from 'vitest';
import { idempotencyStore } from '../../../src/infrastructure/http/once/idempotency.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../support/database.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { emptyBooks } from '../../support/read-models.ts';

const hourMs = 3_600_000;
const answer = { status: 201, body: '{"id":"a"}' };

async function keptAnswers() {
  const { url } = await emptyBooks();
  const clock = movableClock();
  const pool = createPool({ url, max: 2, name: 'test-keys' });
  onTestFinished(() => pool.end());
  const store = idempotencyStore(pool, clock.now);
  return {
    store,
    clock,
    kept: () => query<{ scope: string }>(url, 'select scope from daybook.idempotency_keys'),
  };
}

describe('kept answers', () => {
  it('are forgotten a day after their key was first used, and not before', async () => {
    const { store, clock, kept } = await keptAnswers();
    await store.begin('old');
    await store.keep('old', answer);
    clock.advance(23 * hourMs);
    await store.begin('new');
    await store.keep('new', answer);
    await store.forgetOld(clock.now());
    expect(await kept()).toHaveLength(2);
    clock.advance(2 * hourMs);
    await store.forgetOld(clock.now());
    expect(await kept()).toEqual([{ scope: 'new' }]);
  });

  it('are there for all keys that were kept together', async () => {
    const { store } = await keptAnswers();
    const scopes = Array.from({ length: 40 }, (_one, n) => `key-${n}`);
    await Promise.all(scopes.map((scope) => store.begin(scope)));
    await Promise.all(scopes.map((scope, n) => store.keep(scope, { status: 200, body: String(n) })));
    expect(await Promise.all(scopes.map((scope) => store.begin(scope)))).toEqual(
      scopes.map((_scope, n) => ({ status: 200, body: String(n) })),
    );
  });
});
