import { expect, it } from 'vitest';
import { connect } from '../support/log/raw-log.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';

const service = serviceOfTests({ variables: { DAYBOOK_REQUEST_DEADLINE_SECONDS: '4' } });

it('an erasure that takes longer than a request may is told to be under way, and goes on', async () => {
  const { id } = await createCustomer(service.client);
  const holder = await connect(service.databaseUrl);
  // Its keys cannot be destroyed meanwhile.
  await holder.query('begin');
  await holder.query('select from daybook.person_keys for update');
  const erase = async () => expectStatus(await service.client.post(`/customers/${id}/erase`), 200).status;
  expect(await erase()).toBe('UNDER_WAY');
  await holder.query('rollback');
  await expect.poll(erase).toBe('ERASED');
});
