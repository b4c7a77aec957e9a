/** What is under way for a platform when it goes back to a snapshot, and ends when there is nothing left for it to change. */
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import type { Client } from '../support/client.ts';
import { eventually, expectStatus, fund } from '../support/flows.ts';
import { customerWith, receive } from '../support/payments.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import { restoreSnapshot, takeSnapshot } from '../support/snapshots.ts';

type Parties = Awaited<ReturnType<typeof customerWith>>;
type Ask = (client: Client, parties: Parties) => Promise<unknown>;

/** What the service logs when calls that `ask` brings about are answered after the platform has gone back. */
async function linesOf(type: string, ask: Ask): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const { client, stop } = await startTestService({ log });
  onTestFinished(stop);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const parties = await customerWith(client, 0);
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  const told = async (): Promise<readonly string[]> => receiver.received.map(({ body }) => body.type);
  await eventually(told, (types) => types.includes('TEST'));
  const snapshot = await takeSnapshot(client);
  const waiting: ServerResponse[] = [];
  receiver.answer((_received, response) => void waiting.push(response));
  await ask(client, parties);
  await eventually(told, (types) => types.includes(type));
  await restoreSnapshot(client, snapshot);
  for (const response of waiting) response.end();
  await stop();
  return lines;
}

it.each<readonly [string, Ask]>([
  ['INTERNAL_ACCOUNT.BALANCE_UPDATED', (client, { account }) => fund(client, account.id, 1)],
  ['INCOMING_PAYMENT.PENDING', (client, { customer }) => receive(client, { customerId: customer.id })],
])('the call of a %s that is gone by its answer is no failure', async (type, ask) => {
  expect(await linesOf(type, ask)).toEqual([]);
});
