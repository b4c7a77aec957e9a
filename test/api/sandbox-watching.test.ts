import { describe, expect, it } from 'vitest';
import { waitingMax } from '../../src/api/sandbox/watching/waiting.ts';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { sandboxOutcomes } from '../../src/sandbox/outcomes.ts';
import { basic, type Client, type Json } from '../support/http/client.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus, fund, quoteBody } from '../support/resources/flows.ts';
import { customerWith, executeQuote, paidAcross, quote } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const other = besideOfTests(service);

/** The types of all that a platform is told, by answers of so many. */
async function walk(client: Client, limit: string): Promise<string[]> {
  const types: string[] = [];
  for (let after = '0.0'; ; ) {
    const { data } = expectStatus(await client.get('/sandbox/webhooks', { after, limit }), 200);
    if (data.length === 0) return types;
    types.push(...data.map(({ type }: Json) => type));
    after = data.at(-1).place;
  }
}

describe('what a platform is told', () => {
  it('is nothing without an endpoint, and nobody waits for it', async () => {
    const answer = await service.client.get('/sandbox/webhooks', { waitSeconds: '30' });
    expect(expectStatus(answer, 200)).toEqual({ data: [] });
    expect(expectStatus(await service.client.get('/sandbox/outcomes'), 200).inboxUrl).toBe(inboxUrl);
  });

  it('is listed in its order without a receiver, waited for, and no other platform sees it', async () => {
    const { client } = service;
    for (const one of [client, other.client])
      expectStatus(await one.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const { account } = await customerWith(client, 0);
    const type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
    const filter = { type, objectId: account.id, waitSeconds: '30' };
    const waiting = client.get('/sandbox/webhooks', filter);
    await fund(client, account.id, 1_500);
    const { data: first } = expectStatus(await waiting, 200);
    expect(first).toMatchObject([{ type, objectId: account.id, data: { id: account.id } }]);

    const { data: none } = expectStatus(
      await client.get('/sandbox/webhooks', { ...filter, after: first[0].place, waitSeconds: '0' }),
      200,
    );
    expect(none).toEqual([]);
    await fund(client, account.id, 1);
    const { data: second } = expectStatus(
      await client.get('/sandbox/webhooks', { ...filter, after: first[0].place }),
      200,
    );
    expect(second).toHaveLength(1);

    const foreign = { objectId: account.id };
    expect(expectStatus(await other.client.get('/sandbox/webhooks', foreign), 200).data).toEqual([]);
    const elsewhere = { after: '0.0', type };
    expect(expectStatus(await other.client.get('/sandbox/webhooks', elsewhere), 200).data).toEqual([]);
    expectProblem(await client.get('/sandbox/webhooks', { after: 'x' }), 400, 'INVALID_INPUT');
    for (const waitSeconds of ['31', '-1', 'x'])
      expectProblem(await client.get('/sandbox/webhooks', { waitSeconds }), 400, 'INVALID_INPUT');
  });

  it('is all met by who asks for one after the other, also where one event tells of two payments', async () => {
    const { client } = service;
    const [payer, payee] = [await customerWith(client), await customerWith(client, 0)];
    const quoted = await quote(client, quoteBody(payer.account.id, payee.account.id));
    await executeQuote(client, quoted);
    await eventually(
      () => idsIn(client, '/transactions', { customerId: payee.customer.id, type: 'INCOMING' }),
      ({ length }) => length > 0,
    );
    const all = await walk(client, '100');
    expect(await walk(client, '1')).toEqual(all);
    expect(all.slice(-2)).toEqual(['OUTGOING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.COMPLETED']);
  });

  it('is waited for by as many as a platform has places, which are free when a client leaves', async () => {
    const leaving = new AbortController();
    const url = `${service.url}/sandbox/webhooks?type=VERIFICATION.APPROVED&waitSeconds=30`;
    const headers = { authorization: basic(service.credentials) };
    const gone = Array.from({ length: waitingMax.platform + 5 }, () =>
      fetch(url, { headers, signal: leaving.signal }).then(
        (response) => response.status,
        () => 'left',
      ),
    );
    const answered = await Promise.race(gone);
    expect(answered).toBe(200);
    leaving.abort();
    expect((await Promise.all(gone)).filter((one) => one === 'left').length).toBeGreaterThan(0);
    const { account } = await customerWith(service.client, 0);
    await expect
      .poll(async () => {
        const filter = { objectId: account.id, type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', waitSeconds: '30' };
        const waiting = service.client.get('/sandbox/webhooks', filter);
        await fund(service.client, account.id, 1);
        return expectStatus(await waiting, 200).data.length;
      })
      .toBeGreaterThan(0);
  });

  it('has arrived, where it goes to the inbox', async () => {
    const { client } = service;
    const { account } = await customerWith(client, 5);
    await expect
      .poll(async () => (await client.get('/webhooks/events', { objectId: account.id })).body.data)
      .toMatchObject([{ state: 'DELIVERED', attempts: 1 }]);
  });
});

const authorizationOf = (client: Client) =>
  basic(client === service.client ? service.credentials : other.credentials);

const eventsOf = (client: Client, asked: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/sandbox/events?${asked}`, {
    headers: { authorization: authorizationOf(client), ...headers },
  });

/** As a client of its own would read it. */
const eventIn = (block: string): Json => {
  const [id = '', event = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(' ') + 1));
  return { id, event, ...JSON.parse(data) };
};

/** What has no data is no event. */
const isEvent = (block: string) => block.startsWith('id: ') && block.includes('\ndata: ');

/** What the service sends until `found` finds something in it. */
async function readUntil<Found>(response: Response, found: (blocks: readonly string[]) => Found | undefined) {
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const blocks = text.split('\n\n').slice(0, -1);
    const last = found(blocks);
    if (last !== undefined) return { last, events: blocks.filter(isEvent).map(eventIn) };
  }
  throw new Error(`it ended after ${text}`);
}

const endOfLog = async (): Promise<number> => {
  const [row] = await query<{ end: string }>(
    service.databaseUrl,
    'select max(position) as end from daybook_log.events',
  );
  return Number(row?.end);
};

/** What comes on a stream that has begun, up to where the log ends now. */
async function restOf(response: Response): Promise<Json[]> {
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const end = await endOfLog();
  const placeIn = (block: string) => Number(/^id: (\d+)/.exec(block)?.[1] ?? 0);
  return (await readUntil(response, (blocks) => blocks.find((block) => placeIn(block) >= end))).events;
}

const follow = async (client: Client, headers: Record<string, string> = {}): Promise<Json[]> =>
  restOf(await eventsOf(client, 'after=0&seconds=300', headers));

/** The first place that the service names without an event, and the events before it. */
async function untilPassed(client: Client, headers: Record<string, string> = {}) {
  const response = await eventsOf(client, 'after=0&seconds=300', headers);
  const { last, events } = await readUntil(response, (blocks) => blocks.find((one) => /^id: \d+$/.test(one)));
  return { passed: last.slice('id: '.length), events };
}

describe("a platform's events", () => {
  it('are sent as they come, go on after the last one seen, and no other platform gets them', async () => {
    const { client } = service;
    const { account } = await customerWith(client, 0);
    const following = await eventsOf(client, 'seconds=300');
    await fund(client, account.id, 700);
    const seen = (await follow(client)).filter(({ data }) => data.accountId === account.id);
    expect(seen.map(({ event }) => event)).toContain('AccountCredited');
    expect(seen.every(({ type, event }) => type === event)).toBe(true);
    const ids = seen.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const credited = seen.find(({ event }) => event === 'AccountCredited');
    // Nobody could check its hashes, which are of what is left out, too.
    expect(Object.keys(credited?.metadata).toSorted()).toEqual([
      'actor',
      'at',
      'causationId',
      'correlationId',
    ]);
    const begun = await restOf(following);
    expect(begun.map(({ id }) => id)).toContain(credited?.id);
    expect(begun.map(({ event }) => event)).not.toContain('CustomerCreated');

    const { id: last } = seen.at(-1) ?? {};
    await fund(client, account.id, 1);
    const rest = await follow(client, { 'last-event-id': String(last) });
    expect(rest.filter(({ id }) => Number(id) <= Number(last))).toEqual([]);
    const foreign = await follow(other.client);
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter(({ data }) => data.accountId === account.id)).toEqual([]);
    expectProblem(await client.get('/sandbox/events', { after: 'x' }), 400, 'INVALID_INPUT');
  });

  it('have nothing of the platform on the other side of a payment', async () => {
    // Nobody is asked to approve.
    expectStatus(await other.client.patch('/config', { webhookEndpoint: null }), 200);
    const { sent, received, ofPayer, ofPayee } = await paidAcross(service.client, other.client);
    const { umaAddress } = await createCustomer(service.client);
    const invited = await service.client.post('/invitations', { inviterUma: umaAddress });
    const invitee = await createCustomer(other.client);
    const { code } = expectStatus(invited, 201);
    const claim = { inviteeUma: invitee.umaAddress };
    expectStatus(await other.client.post(`/invitations/${code}/claim`, claim), 200);
    const [ours, theirs] = [await follow(service.client), await follow(other.client)];
    expect(JSON.stringify(ours)).toContain(sent);
    expect(JSON.stringify(theirs)).toContain(received);
    expect(ours.map(({ event }) => event)).toContain('InvitationClaimed');
    for (const id of ofPayee) expect(JSON.stringify(ours)).not.toContain(id);
    for (const id of ofPayer) expect(JSON.stringify(theirs)).not.toContain(id);
  });

  it("go on after what was another platform's, for a client that comes back", async () => {
    await createCustomer(service.client);
    const { passed, events } = await untilPassed(other.client);
    expect(events.length).toBeGreaterThan(0);
    expect(events.filter(({ id }) => Number(id) >= Number(passed))).toEqual([]);
    await createCustomer(service.client);
    const again = await untilPassed(other.client, { 'last-event-id': passed });
    expect(again.events).toEqual([]);
    expect(Number(again.passed)).toBeGreaterThan(Number(passed));
  });
});

describe('the values that steer the sandbox', () => {
  it('are those of the table', async () => {
    const { data } = expectStatus(await service.client.get('/sandbox/outcomes'), 200);
    const of = (applies: string) => data.filter((one: { applies: string }) => one.applies === applies);
    expect(of('TRANSFER').length + of('QUOTE').length).toBe(sandboxOutcomes.length);
    expect(of('TRANSFER')).toContainEqual({
      chosenBy: 'EXTERNAL_ACCOUNT_SUFFIX',
      applies: 'TRANSFER',
      value: '005',
      meaning: 'pending for 30 seconds, then fails',
      steps: [{ afterMs: 30_000, status: 'FAILED', reason: 'OFFRAMP_FAILED' }],
    });
    expect(of('NAME_CHECK').map(({ value }: { value: string }) => value)).toContain('109');
    expect(of('VERIFICATION')).toHaveLength(6);
  });
});
