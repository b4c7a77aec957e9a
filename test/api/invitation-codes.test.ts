import { describe, expect, it } from 'vitest';
import { systemIds } from '../../src/kernel/ids.ts';
import { expectProblem } from '../support/http/problems.ts';
import { startTestService } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';

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

describe('guessing codes', () => {
  it('is over after as many unknown ones in a minute as may be, for right ones too, and for this platform', async () => {
    const service = await startTestService({ variables: { DAYBOOK_RATE_LIMIT_INVITATIONS: '6' } });
    const { client } = service;
    const elsewhere = await service.newPlatform();
    const { umaAddress: inviterUma } = await createCustomer(client);
    const { code } = expectStatus(await client.post('/invitations', { inviterUma }), 201);
    const { umaAddress: inviteeUma } = await createCustomer(elsewhere);
    const claim = (one: string) => elsewhere.post(`/invitations/${one}/claim`, { inviteeUma });
    const asked = [
      (one: string) => elsewhere.get(`/invitations/${one}`),
      claim,
      (one: string) => elsewhere.post(`/invitations/${one}/cancel`),
    ];
    const guess = code === '00000000' ? '00000001' : '00000000';
    for (const ask of [...asked, ...asked]) expectProblem(await ask(guess), 404, 'INVITATION_NOT_FOUND');
    for (const ask of asked) expectProblem(await ask(code), 429, 'RATE_LIMITED');
    expectStatus(await client.get(`/invitations/${code}`), 200);
    await service.stop();
  });

  it('is not what somebody does who has them', async () => {
    const { client, stop } = await startTestService({ variables: { DAYBOOK_RATE_LIMIT_INVITATIONS: '1' } });
    const { umaAddress: inviterUma } = await createCustomer(client);
    const { code } = expectStatus(await client.post('/invitations', { inviterUma }), 201);
    for (let n = 0; n < 5; n++) expectStatus(await client.get(`/invitations/${code}`), 200);
    await stop();
  });
});
