/** The keys of webhooks are rotated through one process while another one knows the former ones. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, clientOf } from '../support/http/client.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { patienceMs } from '../support/time/patience.ts';

let first: TestService;
let second: TestService;
let other: Client;
const variables = { DAYBOOK_WEBHOOK_KEY_OVERLAP_HOURS: '0' };
beforeAll(async () => {
  first = await startTestService({ variables });
  const { databaseUrl, credentials } = first;
  second = await startTestService({ databaseUrl, variables });
  other = clientOf(second.url, credentials);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const keysBy = async (client: Client) => expectStatus(await client.get('/webhooks/keys'), 200).data;

it('who has rotated them reads them from any process', async () => {
  // Made when they are first asked for, and remembered when they are asked for again.
  await keysBy(other);
  const before = await keysBy(other);
  const rotated = expectStatus(await first.client.post('/webhooks/keys/rotate'), 200).data;
  expect(rotated).not.toEqual(before);
  expect(await keysBy(other)).toEqual(rotated);
});

it('the other process hears of it', async () => {
  // What is remembered would not be read again for a while, as long as no time passes.
  const now = performance.now();
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(now);
  onTestFinished(() => stopped.mockRestore());
  const publicKey = async () => expectStatus(await other.get('/config'), 200).webhookPublicKey;
  await publicKey();
  const [key] = expectStatus(await first.client.post('/webhooks/keys/rotate'), 200).data;
  const until = Date.now() + patienceMs;
  while ((await publicKey()) !== key.publicKey && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await publicKey()).toBe(key.publicKey);
});
