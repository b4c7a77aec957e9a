import { expect, it, onTestFinished } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, fund } from '../support/resources/flows.ts';
import { balanceOf, customerWith } from '../support/resources/payments.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests();
const { client } = service;

/** No webhook can be written that is about this object. */
async function breakOutboxFor(objectId: string): Promise<() => Promise<unknown>> {
  await query(
    service.databaseUrl,
    `create function daybook.refuse_one() returns trigger language plpgsql as $$
     begin
       if new.object_id = '${objectId}' then raise exception 'this cannot be told'; end if;
       return new;
     end $$`,
  );
  await query(
    service.databaseUrl,
    `create trigger refuse_one before insert on daybook.webhook_events
     for each row execute function daybook.refuse_one()`,
  );
  return () => query(service.databaseUrl, 'drop function daybook.refuse_one cascade');
}

const metrics = async () => (await fetch(`${service.url.slice(0, -basePath.length)}/metrics`)).text();

it('what cannot be told is set aside with the rest of its stream, seen in the metrics, and told when it can be', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await client.patch('/config', { webhookEndpoint: receiver.url });
  const [broken, other] = [await customerWith(client, 0), await customerWith(client, 0)];
  const told = ({ id }: { readonly id: string }) =>
    receiver.received.map(({ body }) => body.data).filter((data) => data.id === id);
  const balances = (account: { readonly id: string }) => told(account).map((data) => data.balance.amount);
  const mend = await breakOutboxFor(broken.account.id);
  for (const amount of [1, 10]) await fund(client, broken.account.id, amount);
  await fund(client, other.account.id, 5);
  await eventually(
    async () => balances(other.account),
    (seen) => seen.includes(5),
  );
  expect(balances(broken.account)).not.toContain(1);
  expect(await balanceOf(client, broken.customer.id)).toBe(11);
  await eventually(metrics, (text) => /^daybook_parked\{consumer="webhooks"\} [1-9]/m.test(text));
  await mend();
  await eventually(
    async () => balances(broken.account),
    (seen) => seen.at(-1) === 11,
  );
  expect(balances(broken.account).slice(-2)).toEqual([1, 11]);
  await eventually(metrics, (text) => !/^daybook_parked\{consumer="webhooks"\} [1-9]/m.test(text));
});
