import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { projectionsCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { projectAgain } from '../../../projections/projector/again.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

it('rows are made again without reading the streams of accounts, which may be long', async () => {
  const { db } = await emptyBooks();
  await db.insertInto('checkpoints').values({ name: projectionsCheckpoint, position: 0n }).execute();
  const read: string[] = [];
  const store = {
    read: async (stream: string) => {
      read.push(stream);
      return [];
    },
  };
  const named = (...categories: readonly string[]) =>
    categories.map((category) => `${category}-${randomUUID()}`);
  const theirs = named('customer', 'beneficialowner', 'document', 'externalaccount', 'transaction', 'agent');
  const others = named('account', 'wallet', 'lookup', 'invitation', 'verification');
  await projectAgain({ db, store }, [...others, ...theirs]);
  expect(read).toEqual(theirs);
});
