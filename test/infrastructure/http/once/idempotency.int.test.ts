import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createReadDb } from '../../../../projections/database.ts';
import { usedKeysOfPages } from '../../../../projections/kept/used-keys.ts';
import type { StoredEvent } from '../../../../src/infrastructure/event-store/event-store.ts';
import { fingerprintOf } from '../../../../src/infrastructure/http/once/fingerprint.ts';
import { idempotencyStore } from '../../../../src/infrastructure/http/once/idempotency.ts';
import type { TakenBack } from '../../../../src/infrastructure/http/once/keys.ts';
import { heldMs } from '../../../../src/infrastructure/http/once/keys-table.ts';
import { createPool } from '../../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../../support/postgres/database.ts';
import { patienceMs } from '../../../support/time/patience.ts';
import { turnInTime } from '../../../support/time/turns.ts';
import { asked, begin, keptAnswers } from './keys.ts';

const hourMs = 3_600_000;
const answer = { status: 201, body: '{"id":"a"}' };

/** For what is so while a key is held: `work` is done again, with other keys, where the machine was too busy for it. */
async function whileHeld<T>(work: (turn: number) => Promise<T>, look: (found: T) => void): Promise<void> {
  let turn = 0;
  await turnInTime(async () => {
    const since = performance.now();
    const worked = work(turn++);
    await worked.catch(() => undefined);
    if (performance.now() - since >= heldMs) return false;
    look(await worked);
    return true;
  });
}

describe('kept answers', () => {
  it('are forgotten a day after their key was first used, and not before', async () => {
    const { store, clock, kept } = await keptAnswers();
    await (await begin(store, 'old')).keep(answer);
    clock.advance(23 * hourMs);
    await (await begin(store, 'new')).keep(answer);
    await store.forgetOld(clock.now());
    expect(await kept()).toHaveLength(2);
    clock.advance(2 * hourMs);
    await store.forgetOld(clock.now());
    expect(await kept()).toEqual([{ scope: 'new' }]);
  });

  it('are there for all keys that were kept together', async () => {
    const { store } = await keptAnswers();
    const scopes = Array.from({ length: 40 }, (_one, n) => `key-${n}`);
    const begun = await Promise.all(scopes.map((scope) => begin(store, scope)));
    await Promise.all(begun.map(({ keep }, n) => keep({ status: 200, body: String(n) })));
    expect(await Promise.all(scopes.map((scope) => store.begin(scope, asked)))).toMatchObject(
      scopes.map((_scope, n) => ({ status: 200, body: String(n) })),
    );
  });
});

describe('while what was done is taken back', () => {
  it.each([
    ['that is looked for', 1],
    ['that was found a moment before', 2],
  ])('nothing is told of a key %s', async (_, looks) => {
    const { store, otherStore, url } = await keptAnswers();
    await (await begin(store, 'key')).keep(answer);
    let asks = 0;
    const takenBack: TakenBack = {
      times: () => 0,
      async notMeanwhile(_tenant, work) {
        asks += 1;
        if (asks === looks) await query(url, 'delete from daybook.idempotency_keys');
        return work();
      },
    };
    expect(await otherStore({ takenBack }).begin('key', asked, 'tenant')).toMatchObject({ isRepeat: false });
  });
});

describe('many keys at once', () => {
  it('are taken and kept by two processes without waiting for each other for ever', async () => {
    const { store, otherStore } = await keptAnswers();
    const other = otherStore();
    for (let round = 0; round < 20; round++)
      await whileHeld(
        async (turn) => {
          const scopes = Array.from(
            { length: 250 },
            (_, n) => `${round}-${turn}-${String(n).padStart(3, '0')}`,
          );
          const begun = await Promise.all(scopes.map((scope) => begin(store, scope)));
          const inTurn = round % 2 === 0 ? begun : begun.toReversed();
          const kept = inTurn.map(({ keep }) => keep(answer));
          const others = scopes.map((scope) => other.begin(scope, asked));
          await Promise.all(kept);
          return Promise.all(others);
        },
        (found) => {
          for (const one of found) expect(one).toMatchObject(answer);
        },
      );
  });
});

describe('what a key was used for', () => {
  const other = fingerprintOf({ amount: 2 });

  it('is that of its first request, whoever asks', async () => {
    const { store, otherStore } = await keptAnswers();
    await (await begin(store, 'key')).keep(answer);
    for (const process of [store, otherStore()])
      expect(await process.begin('key', other)).toEqual({ ...answer, fingerprint: asked });
  });

  it('is that of its first request for one who takes it over', async () => {
    const { store, url, otherStore } = await keptAnswers();
    await begin(store, 'key');
    await query(
      url,
      `update daybook.idempotency_keys set held_until = clock_timestamp() - interval '1 second'`,
    );
    expect(await otherStore().begin('key', other)).toMatchObject({ fingerprint: asked });
  });

  it('is known to one who waits for the first', async () => {
    const { store } = await keptAnswers();
    await whileHeld(
      async (turn) => {
        const first = await begin(store, `key-${turn}`);
        const second = store.begin(`key-${turn}`, other);
        await first.keep(answer);
        return second;
      },
      (second) => expect(second).toEqual({ ...answer, fingerprint: asked }),
    );
  });

  it('is another thing a day later', async () => {
    const { store, clock } = await keptAnswers();
    await (await begin(store, 'key')).keep(answer);
    clock.advance(25 * hourMs);
    expect(await store.begin('key', other)).toMatchObject({ fingerprint: other });
  });
});

describe('a key without an answer', () => {
  it('is told from a new one where something may have been done under it', async () => {
    const { store } = await keptAnswers();
    const first = await begin(store, 'key');
    await first.leave(true);
    const second = await begin(store, 'key');
    expect([first.isRepeat, second.isRepeat]).toEqual([false, true]);
    expect(second.attempted).toEqual(first.attempted);
  });

  it('is as good as new where nothing was done under it', async () => {
    const { store, kept } = await keptAnswers();
    await (await begin(store, 'key')).forget();
    expect(await kept()).toEqual([]);
    const other = fingerprintOf({ amount: 2 });
    expect(await store.begin('key', other)).toMatchObject({ isRepeat: false, fingerprint: other });
  });
});

describe('one who holds a key', () => {
  it('has not waited for it where nobody else is at it', async () => {
    const { store } = await keptAnswers();
    expect(store.isUnderWay('key')).toBe(false);
    const first = store.begin('key', asked);
    expect(store.isUnderWay('key')).toBe(true);
    expect(await first).toMatchObject({ hasWaited: false });
    await (await begin(store, 'another')).leave(true);
    expect(store.isUnderWay('another')).toBe(false);
    expect(await begin(store, 'another')).toMatchObject({ isRepeat: true, hasWaited: false });
  });

  it.each(['this', 'another'])('has waited where a request of %s process had it', async (which) => {
    const { store, otherStore } = await keptAnswers();
    const process = which === 'this' ? store : otherStore();
    await whileHeld(
      async (turn) => {
        const first = await begin(store, `key-${turn}`);
        const second = begin(process, `key-${turn}`);
        // Keys are taken in turn: the second has seen by then that somebody has its key.
        await begin(process, `one after it-${turn}`);
        await first.forget();
        return second;
      },
      (second) => expect(second).toMatchObject({ isRepeat: false, hasWaited: true }),
    );
  });
});

describe('a holder who is overtaken', () => {
  /** Two processes: the second takes the key over when the first has held it for too long. */
  async function overtaken() {
    const { store: slowProcess, url, otherStore } = await keptAnswers();
    const slow = await begin(slowProcess, 'key');
    await query(
      url,
      `update daybook.idempotency_keys set held_until = clock_timestamp() - interval '1 second'`,
    );
    const other = otherStore();
    return { slow, other, later: await begin(other, 'key') };
  }

  it('keeps no answer over that of the later', async () => {
    const { slow, other, later } = await overtaken();
    await later.keep(answer);
    await slow.keep({ status: 400, body: 'too late' });
    expect(await other.begin('key', asked)).toMatchObject(answer);
  });

  it('has the answer of the later, waiting for it while that is at it', async () => {
    const { slow, other, later } = await overtaken();
    const told = slow.keep({ status: 400, body: 'too late' });
    await later.keep(answer);
    expect(await told).toMatchObject(answer);
    expect(await other.begin('key', asked)).toMatchObject(answer);
  });

  it('has none where the later comes to none', async () => {
    const { slow, later } = await overtaken();
    const told = slow.keep({ status: 409, body: 'refused' }).catch((error) => error);
    await later.leave(true);
    expect(await told).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('keeps none where both come at the same moment', async () => {
    const { store, url } = await keptAnswers();
    const slow = await begin(store, 'key');
    await query(
      url,
      `update daybook.idempotency_keys set held_until = clock_timestamp() - interval '1 second'`,
    );
    await slow.leave(true);
    const later = await begin(store, 'key');
    const beside = await begin(store, 'beside');
    await Promise.all([
      later.keep(answer),
      slow.keep({ status: 400, body: 'too late' }),
      beside.keep(answer),
    ]);
    for (const key of ['key', 'beside']) expect(await store.begin(key, asked)).toMatchObject(answer);
  });

  it('does not free what the later holds', async () => {
    const { slow, other, later } = await overtaken();
    await slow.leave(true);
    await slow.forget();
    const third = other.begin('key', asked);
    await later.keep(answer);
    expect(await third).toMatchObject(answer);
  });
});

describe('a key that may have been lost with its server', () => {
  /** The log goes as far as 7, and its keys are there up to `reached`. */
  async function comingBack(reached: bigint) {
    const { url, clock, ...rest } = await keptAnswers();
    const db = createReadDb(createPool({ url, max: 2, name: 'test-keys-lost' }));
    const pool = createPool({ url, max: 2, name: 'test-keys' });
    onTestFinished(async () => void (await Promise.all([db.destroy(), pool.end()])));
    await query(url, `insert into daybook.checkpoints (name, position) values ('projections', ${reached})`);
    let looked = 0;
    const lostUntil = () => {
      looked += 1;
      return 7n;
    };
    const store = idempotencyStore({ pool, now: clock.now, lostUntil });
    /** So many keys were taken, and looked at whether they may be used. */
    const untilLooked = (many: number) =>
      vi.waitFor(() => expect(looked).toBeGreaterThanOrEqual(many), patienceMs);
    /** The log says that a key was first used a while ago. */
    const comeBack = async (scope: string, minutesAgo: number) => {
      const since = new Date(clock.now().getTime() - minutesAgo * 60_000).toISOString();
      const event = { metadata: { platformId: 'Platform:1', key: { scope, since } } };
      await usedKeysOfPages(db, clock.now())([event as StoredEvent]);
      return since;
    };
    const whole = () => query(url, 'update daybook.checkpoints set position = 7');
    return { ...rest, url, store, comeBack, whole, untilLooked };
  }

  it('is taken as one that was used before, since when the log says', async () => {
    const { store, comeBack } = await comingBack(7n);
    const since = await comeBack('key', 90);
    expect(await begin(store, 'key')).toMatchObject({
      isRepeat: true,
      attempted: { key: { scope: 'key', since } },
    });
  });

  it('is taken by nobody before all of them are there', async () => {
    const { store, comeBack, whole, untilLooked } = await comingBack(6n);
    const begun = begin(store, 'key');
    const elsewhere = begin(store, 'another');
    await untilLooked(2);
    const since = await comeBack('key', 90);
    await whole();
    expect(await begun).toMatchObject({ isRepeat: true, attempted: { key: { since } } });
    expect(await elsewhere).toMatchObject({ isRepeat: false, hasWaited: true });
  });

  it('is new where nothing was done under it, and nothing is left of it while that is not known', async () => {
    const { store, kept } = await comingBack(6n);
    await expect(store.begin('key', asked)).rejects.toThrow(/is not known yet: the keys are being restored/);
    expect(await kept()).toEqual([]);
  });

  it('is not that of who has taken it as if it were new, and has its answer where it has one', async () => {
    const { store, otherStore, comeBack, url } = await comingBack(7n);
    const asIfNew = await begin(otherStore(), 'taken');
    const since = await comeBack('taken', 90);
    await asIfNew.forget();
    expect(await begin(store, 'taken')).toMatchObject({ isRepeat: true, attempted: { key: { since } } });
    await (await begin(otherStore(), 'answered')).keep(answer);
    await comeBack('answered', 90);
    expect(await store.begin('answered', asked)).toMatchObject(answer);
    expect(await query(url, 'select from daybook.idempotency_keys')).toHaveLength(2);
  });

  it('means another request a day later', async () => {
    const { store, comeBack, kept } = await comingBack(7n);
    await comeBack('old', 24 * 60 + 1);
    expect(await kept()).toEqual([]);
    expect(await begin(store, 'old')).toMatchObject({ isRepeat: false });
  });
});
