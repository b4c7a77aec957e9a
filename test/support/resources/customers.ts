/** The changes of a customer, as a platform would send them. */
import { randomUUID } from 'node:crypto';
import type { Answer, Client, Json } from '../http/client.ts';
import { expectStatus, individual } from './flows.ts';

export const newAddress = () => `$ada-${randomUUID().slice(0, 13)}@daybook.test`;

/** Asks for a customer, who may not come about. */
export const tryCustomer = (client: Client, overrides: object): Promise<Answer> =>
  client.post('/customers', individual(overrides));

export const patchCustomer = (client: Client, { id }: Json, changes: object): Promise<Answer> =>
  client.patch(`/customers/${id}`, changes);

export const changedCustomer = async (client: Client, customer: Json, changes: object): Promise<Json> =>
  expectStatus(await patchCustomer(client, customer, changes), 200);

export const deleteCustomer = (client: Client, { id }: Json): Promise<Answer> =>
  client.delete(`/customers/${id}`);

export const readCustomer = async (client: Client, { id }: Json): Promise<Json> =>
  expectStatus(await client.get(`/customers/${id}`), 200);
