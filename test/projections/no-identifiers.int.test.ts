import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { noIdentifiers } from '../../projections/migrations/0014-no-identifiers.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

const before = [
  { FULL_NAME: 'Grace', IDENTIFIER: 'X1', ID_NUMBER: 'X1' },
  { IDENTIFIER: 'X1' },
  { FULL_NAME: 'Ada' },
  null,
];

it('the number of a document is taken out of rows from before', async () => {
  const { url, db } = await emptyBooks();
  for (const [n, told] of before.entries())
    await query(
      url,
      `insert into daybook.transactions (id, platform_id, type, status, source, destination, receiver_account,
         sent_minor, sent_currency, received_minor, received_currency, fees, reference, counterparty_information,
         created_at, updated_at)
       values ($1, 'Platform:1', 'OUTGOING', 'PENDING', '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r', $2, now(), now())`,
      [`Transaction:${n}`, told && JSON.stringify(told)],
    );
  await noIdentifiers.up(db as unknown as Kysely<unknown>);
  const rows = await query<{ counterparty_information: unknown }>(
    url,
    'select counterparty_information from daybook.transactions order by id',
  );
  expect(rows.map((row) => row.counterparty_information)).toEqual([
    { FULL_NAME: 'Grace' },
    null,
    { FULL_NAME: 'Ada' },
    null,
  ]);
});
