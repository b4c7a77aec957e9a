import { expect, it } from 'vitest';
import { serviceOfTests } from '../../support/processes/service.ts';
import { expectStatus } from '../../support/resources/flows.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

const service = serviceOfTests();

it('a share of requests is the same each time that their platform is back at a snapshot', async () => {
  const client = await service.newPlatform();
  const effect = { kind: 'REFUSE', code: 'FORBIDDEN' };
  const match = { operationId: 'getPlatformConfig', percent: 40 };
  expectStatus(await client.post('/sandbox/faults', { match, effect }), 201);
  const snapshot = await takeSnapshot(client);
  const statuses = async () => {
    const all: number[] = [];
    for (let n = 0; n < 25; n++) all.push((await client.get('/config')).status);
    await restoreSnapshot(client, snapshot);
    return all;
  };
  const first = await statuses();
  expect(new Set(first)).toEqual(new Set([200, 403]));
  expect(await statuses()).toEqual(first);
  expect(await statuses()).toEqual(first);
});
