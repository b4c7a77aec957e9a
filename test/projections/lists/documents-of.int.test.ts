import { expect, it } from 'vitest';
import { countDocumentsOf, documentsOf } from '../../../projections/models/documents.ts';
import { type CustomerId, idOf } from '../../../src/kernel/ids.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const holders: readonly CustomerId[] = [1, 2].map((n) => idOf('Customer', uuidNumber(n)));

it('no more documents are read than are asked for, the oldest, and all are counted', async () => {
  const { url, db } = await emptyBooks();
  await query(
    url,
    `insert into daybook.documents (id, platform_id, document_holder, document_type, country, file_name, created_at,
       updated_at)
     select 'Document:' || n, 'Platform:1', ($1::text[])[1 + n % 3], 'PASSPORT', 'GB', 'charter.pdf',
       now() - n * interval '1 second', now() from generate_series(1, 9) n`,
    [[...holders, idOf('Customer', uuidNumber(3))]],
  );
  const found = await documentsOf(db, holders, 2);
  expect(found.map(({ id }) => id)).toEqual(['Document:9', 'Document:7']);
  expect(await countDocumentsOf(db, holders)).toBe(6);
});
