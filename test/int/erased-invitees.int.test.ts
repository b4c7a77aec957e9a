/** Somebody who has claimed an invitation is erased, and so is the address that the claim has of them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import type { Client, Json } from '../support/http/client.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { changedCustomer, deleteCustomer, newAddress } from '../support/resources/customers.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';

const service = serviceOfTests();
const { client } = service;
let elsewhere: Client;
let inviter: Json;
beforeAll(async () => {
  elsewhere = await service.newPlatform();
  expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
  inviter = await createCustomer(client);
});

const invite = async (headers: Record<string, string> = {}): Promise<string> =>
  expectStatus(await client.post('/invitations', { inviterUma: inviter.umaAddress }, headers), 201).code;
const claim = async (code: string, inviteeUma: string, by = client, headers: Record<string, string> = {}) =>
  expectStatus(await by.post(`/invitations/${code}/claim`, { inviteeUma }, headers), 200);
const claimedBy = async (inviteeUma: string): Promise<string> => {
  const code = await invite();
  await claim(code, inviteeUma);
  return code;
};
const inviteeOf = async (code: string): Promise<string> =>
  expectStatus(await client.get(`/invitations/${code}`), 200).inviteeUma;
const erase = ({ id }: Json, by = client): Promise<Json> =>
  eventually(
    async () => expectStatus(await by.post(`/customers/${id}/erase`), 200),
    ({ status }) => status === 'ERASED',
  );
const told = async (code: string): Promise<string> => {
  const all = expectStatus(await client.get('/sandbox/webhooks', { type: 'INVITATION_CLAIMED' }), 200).data;
  return JSON.stringify(all.filter(({ data }: Json) => data.code === code));
};

describe('the address of somebody who is erased', () => {
  it('is in no invitation that they have claimed, and in no webhook about it', async () => {
    const umaAddress = newAddress();
    const invitee = await createCustomer(client, { umaAddress });
    const code = await claimedBy(umaAddress);
    await eventually(
      () => told(code),
      (text) => text.includes(umaAddress),
    );
    await erase(invitee);
    expect(await inviteeOf(code)).toBe('erased');
    expect(expectStatus(await elsewhere.get(`/invitations/${code}`), 200).inviteeUma).toBe('erased');
    const webhook = await told(code);
    expect(webhook).toContain('"inviteeUma":"erased"');
    expect(webhook).toContain(inviter.umaAddress);
  });

  it('is in none either that they have claimed under an address which they have given up', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const invitee = await createCustomer(client, { umaAddress: first });
    const code = await claimedBy(first);
    await changedCustomer(client, invitee, { umaAddress: second });
    await erase(invitee);
    expect(await inviteeOf(code)).toBe('erased');
  });

  it('is in none that was claimed with it before they were a customer', async () => {
    const umaAddress = newAddress();
    const code = await claimedBy(umaAddress);
    expect(await inviteeOf(code)).toBe(umaAddress);
    await erase(await createCustomer(client, { umaAddress }));
    expect(await inviteeOf(code)).toBe('erased');
  });

  it('is there where the next one has it who claims with it', async () => {
    const umaAddress = newAddress();
    const first = await createCustomer(client, { umaAddress });
    const code = await claimedBy(umaAddress);
    expectStatus(await deleteCustomer(client, first), 200);
    const second = await createCustomer(client, { umaAddress });
    const between = await claimedBy(umaAddress);
    await erase(first);
    const after = await claimedBy(umaAddress);
    const invitees = async () => [await inviteeOf(code), await inviteeOf(between), await inviteeOf(after)];
    expect(await invitees()).toEqual(['erased', umaAddress, umaAddress]);
    await erase(second);
    expect(await invitees()).toEqual(['erased', 'erased', 'erased']);
  });

  it('is there where somebody claims with it who is no customer', async () => {
    const umaAddress = newAddress();
    await erase(await createCustomer(client, { umaAddress }));
    expect(await inviteeOf(await claimedBy(umaAddress))).toBe(umaAddress);
  });
});
