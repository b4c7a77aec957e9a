import { describe, expect, it } from 'vitest';
import { systemIds } from '../../src/kernel/ids.ts';
import { createCustomer, expectStatus } from '../support/flows.ts';
import { startTestService } from '../support/service.ts';

describe('a code that is taken', () => {
  it('is drawn again', async () => {
    let drawn = 0;
    // Ten in a row end alike, so that no two of the invitations below can do without another draw.
    const end = () =>
      Math.floor(drawn++ / 10)
        .toString(16)
        .padStart(8, '0');
    const uuid = () => systemIds.uuid().replace(/.{8}$/, end);
    const { client, stop } = await startTestService({ ids: { uuid } });
    const { umaAddress: inviterUma } = await createCustomer(client);
    const codes = new Set<string>();
    for (let n = 0; n < 10; n++)
      codes.add(expectStatus(await client.post('/invitations', { inviterUma }), 201).code);
    expect(codes.size).toBe(10);
    await stop();
  });
});
