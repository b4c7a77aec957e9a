import { type Client, clientOf, type Json } from '../http/client.ts';
import { expectStatus } from './flows.ts';

export const everyPermission = ['VIEW', 'TRANSACT', 'MANAGE'];

/** A new token as the one answer shows it that has its secret. */
export const issueToken = async (
  client: Client,
  permissions: readonly string[] = everyPermission,
  name = 'issued',
): Promise<Json> => expectStatus(await client.post('/tokens', { name, permissions }), 201);

export const clientFor = (url: string, { clientId, clientSecret }: Json): Client =>
  clientOf(url, { clientId, clientSecret });

/** How long a process may remember a token that has been deleted. */
export const untilForgotten = () => new Promise((resolve) => setTimeout(resolve, 1_000));
