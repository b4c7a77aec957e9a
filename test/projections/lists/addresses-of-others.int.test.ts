import { expect, it } from 'vitest';
import { hasAddressOfOthers } from '../../../projections/models/customers.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const platforms = [1, 2, 3].map((n) => idOf('Platform', uuidNumber(n)));

it('an address at a domain counts where it is of another platform, and its customer is not deleted', async () => {
  const { url, db } = await emptyBooks();
  const add = (platformId: string | undefined, address: string, isDeleted = false) =>
    query(
      url,
      `insert into daybook.customers (id, platform_id, platform_customer_id, customer_type, uma_address, region,
         currencies, kyc_status, is_deleted, details, created_at, updated_at)
       values ($2, $1, $2, 'INDIVIDUAL', $2, 'US', '{USD}', 'PENDING', $3, '{}', now(), now())`,
      [platformId, address, isDeleted],
    );
  await add(platforms[1], '$ada@pay.example');
  await add(platforms[1], '$ada@gone.example', true);
  const seenBy = (domain: string) =>
    Promise.all(platforms.map((platform) => hasAddressOfOthers(db, platform, domain)));
  expect(await seenBy('pay.example')).toEqual([true, false, true]);
  for (const other of ['gone.example', 'ay.example', 'PAY.example', 'pay.example.', 'example'])
    expect([other, await seenBy(other)]).toEqual([other, [false, false, false]]);
});
