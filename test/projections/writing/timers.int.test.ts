import { expect, it } from 'vitest';
import { dueTimers, setBack } from '../../../projections/models/timers.ts';
import type { Timer } from '../../../projections/tables/transactions.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

it('a timer whose subject has another time by now is not set back with the one that failed', async () => {
  const { db } = await emptyBooks();
  const failed: Timer = {
    subject: idOf('Transaction', uuidNumber(1)),
    platform_id: idOf('Platform', uuidNumber(2)),
    kind: 'end-approval',
    due_at: testStart,
  };
  const next = { ...failed, due_at: msLater(5_000) };
  await db
    .insertInto('timers')
    .values({ ...next, looks: 0, look_at: null })
    .execute();
  await setBack(db, [{ ...failed, look_at: msLater(1_000) }]);
  const none = { after: undefined, except: [] };
  expect(await dueTimers(db, next.due_at, 10, none)).toEqual([next]);
  await setBack(db, [{ ...next, look_at: msLater(6_000) }]);
  expect(await dueTimers(db, next.due_at, 10, none)).toEqual([]);
});
