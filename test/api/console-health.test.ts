import { expect, it } from 'vitest';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const other = besideOfTests(service);

it('shows how the service does for a platform, and nothing of another', async () => {
  await customerWith(service.client, 100);
  const pointsOf = async ({ client }: typeof service) =>
    expectStatus(await client.get('/console/health'), 200).points;
  const isCounted = (points: readonly { readonly requestsPerSecond: number }[]) =>
    points.some(({ requestsPerSecond }) => requestsPerSecond > 0);
  await expect.poll(async () => isCounted(await pointsOf(service))).toBe(true);
  // The newest point may have been begun just now: what is asked for beside the requests is null in it.
  const full = { queueDepth: 0, deliveriesWaiting: 0, deliveriesFailed: 0, projectionLagEvents: 0 };
  await expect.poll(() => pointsOf(service)).toContainEqual(expect.objectContaining(full));
  await expect.poll(async () => (await pointsOf(other)).length).toBeGreaterThan(0);
  expect(isCounted(await pointsOf(other))).toBe(false);
});
