import { describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { staffed } from '../support/resources/agents.ts';
import { accountOf, createCustomer, expectStatus, fund } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const paths = ['/customers/internal-accounts', '/platform/internal-accounts', '/platform/trial-balance'];
const read = async (
  path: string,
  parameters: Record<string, string> = {},
  as: Client = client,
): Promise<Json> => expectStatus(await as.get(path, parameters), 200);

/** What the log says that an account, or all of them, held at a position. */
async function heldAt(position: string, account: string): Promise<number> {
  const [row] = await query<{ minor: string }>(
    service.databaseUrl,
    `select coalesce(sum((p->>'minor')::numeric), 0)::text as minor
     from daybook_log.events e cross join jsonb_array_elements(e.data->'postings') p
     where e.position <= $1 and p->>'account' like $2 and p->>'currency' = 'USD'`,
    [position, account],
  );
  return Number(row?.minor);
}

describe('balances', () => {
  it('hold as of a position of the log: a replay up to it gives the same, whatever comes meanwhile', async () => {
    const { id } = await createCustomer(client);
    const account = await accountOf(client, id);
    let isOver = false;
    const funding = (async () => {
      for (let n = 0; n < 60; n++) await fund(client, account.id, 100);
      isOver = true;
    })();
    const seen = new Set<string>();
    while (!isOver) {
      const { data, asOf } = await read('/customers/internal-accounts', { customerId: id, currency: 'USD' });
      expect(await heldAt(asOf, account.id)).toBe(data[0].balance.amount);
      const trial = await read('/platform/trial-balance');
      const usd = trial.data.find(({ currency }: Json) => currency.code === 'USD');
      expect(await heldAt(trial.asOf, 'InternalAccount:%')).toBe(usd?.internal ?? 0);
      seen.add(asOf);
    }
    await funding;
    expect(seen.size).toBeGreaterThan(1);
  });

  it.each(paths)('say so where there are none: %s', async (path) => {
    const { asOf } = await read(path, path.endsWith('accounts') ? { currency: 'XAF' } : {}, beside.client);
    expect(asOf).toMatch(/^[1-9]\d*$/);
  });

  it('say so to an agent', async () => {
    const { me } = await staffed(client);
    expect((await read('/agents/me/internal-accounts', {}, me)).asOf).toMatch(/^[1-9]\d*$/);
  });
});
