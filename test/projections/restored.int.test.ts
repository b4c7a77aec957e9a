import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { removePlatform } from '../../projections/projector/restored.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

it('a token that was deleted, and that a way back has taken, is forgotten where its row is gone already', async () => {
  const { url, db } = await emptyBooks();
  const [own, other] = [randomUUID(), randomUUID()];
  for (const uuid of [own, other])
    await query(url, 'insert into daybook.deleted_tokens values ($1, now())', [`Token:${uuid}`]);
  const restored = {
    platformId: `Platform:${randomUUID()}` as PlatformId,
    streams: [`account-${other}`, `token-${own}`],
  };
  await db.transaction().execute((tx) => removePlatform(tx, ['deleted_tokens'], restored));
  const left = await query(url, 'select token_id from daybook.deleted_tokens');
  expect(left).toEqual([{ token_id: `Token:${other}` }]);
});
