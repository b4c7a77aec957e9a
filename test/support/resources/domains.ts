/** Domains of payment addresses, as a platform would set them. */
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../http/client.ts';

export const newDomain = () => `d${randomUUID().slice(0, 8)}.example`;

export const setDomain = (client: Client, umaDomain: string): Promise<Answer> =>
  client.patch('/config', { umaDomain });
