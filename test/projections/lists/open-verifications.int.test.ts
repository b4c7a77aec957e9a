import { expect, it } from 'vitest';
import { openVerifications } from '../../../projections/models/verifications.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

const many = 105;
const deleted = 101;

it('verifications of deleted customers wait for nobody, and hide no other', async () => {
  const { url, db } = await emptyBooks();
  await query(
    url,
    `insert into daybook.customers (id, platform_id, platform_customer_id, customer_type, uma_address, region,
       currencies, kyc_status, is_deleted, details, created_at, updated_at)
     select 'Customer:' || n, 'Platform:1', n, 'INDIVIDUAL', '$' || n, 'US', '{USD}', 'PENDING', n <= ${deleted}, '{}',
       now(), now() from generate_series(1, ${many}) n`,
  );
  await query(
    url,
    `insert into daybook.verifications (id, platform_id, customer_id, status, errors, created_at, updated_at)
     select 'Verification:' || n, 'Platform:1', 'Customer:' || n, 'PENDING_MANUAL_REVIEW', '[]',
       date_trunc('second', now()) + n / 2 * interval '1 second', now() from generate_series(1, ${many}) n`,
  );
  const seen: string[][] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const { rows, nextCursor } = await openVerifications(db, { limit: 2, cursor });
    seen.push(rows.map(({ id }) => id));
    cursor = nextCursor;
  }
  expect(seen).toEqual([
    ['Verification:102', 'Verification:103'],
    ['Verification:104', 'Verification:105'],
  ]);
  const wrong = openVerifications(db, { limit: 2, cursor: 'x' });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
