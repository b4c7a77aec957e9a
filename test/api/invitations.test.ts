import { beforeAll, describe, expect, it } from 'vitest';
import { invitationStream } from '../../src/domain/invitations/invitation.ts';
import { idOf } from '../../src/kernel/ids.ts';
import type { Client, Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests, startTestService } from '../support/processes/service.ts';
import { changedCustomer, newAddress } from '../support/resources/customers.ts';
import { accountOf, createCustomer, eventually, expectStatus, fund } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const inviteeUma = '$bob@other.example';
const clock = movableClock();

const service = serviceOfTests({ clock });
const our = service.client;
const beside = besideOfTests(service);
const their = beside.client;
let inviter: Json;
beforeAll(async () => {
  inviter = await createCustomer(our, { currencies: ['EUR', 'USD'] });
});

const invite = async (overrides: object = {}): Promise<Json> =>
  expectStatus(await our.post('/invitations', { inviterUma: inviter.umaAddress, ...overrides }), 201);
const claimed = (client: Client, code: string, by = inviteeUma) =>
  client.post(`/invitations/${code}/claim`, { inviteeUma: by });
const cancelled = (client: Client, code: string) => client.post(`/invitations/${code}/cancel`);
const read = async (code: string, client = our): Promise<Json> =>
  expectStatus(await client.get(`/invitations/${code}`), 200);
const soon = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();

type Recorded = { readonly type: string; readonly data: Json; readonly metadata: Json };
const eventsOf = (code: string) =>
  query<Recorded>(
    service.databaseUrl,
    'select type, data, metadata from daybook_log.events where stream = $1 order by revision',
    [`invitation-${invitationStream('sandbox', code)}`],
  );

describe('creating an invitation', () => {
  it('needs no more than the inviter', async () => {
    const invitation = await invite();
    const { code } = invitation;
    expect(code).toMatch(/^[0-9a-f]{8}$/);
    expect(invitation).toEqual({
      code,
      createdAt: expect.any(String),
      url: `https://daybook.test/invitations/${code}`,
      inviterUma: inviter.umaAddress,
      status: 'PENDING',
      firstName: 'Ada',
    });
  });

  it("shows the amount in the inviting customer's first currency", async () => {
    const { amountToSend } = await invite({ amountToSend: 2_500 });
    expect(amountToSend).toMatchObject({ amount: 2_500, currency: { code: 'EUR', decimals: 2 } });
  });

  it('takes the inviter in any case, and an expiry with any offset', async () => {
    const sent = { inviterUma: inviter.umaAddress.toUpperCase(), firstName: 'Countess' };
    const invitation = await invite({ ...sent, expiresAt: '2999-01-01T00:00:00+02:00' });
    expect(invitation).toMatchObject({
      inviterUma: inviter.umaAddress,
      firstName: 'Countess',
      expiresAt: '2998-12-31T22:00:00.000Z',
    });
    expect(await read(invitation.code)).toEqual(invitation);
  });

  it.each([0, -1, 1.5, '5', 10n ** 19n])('refuses an amount of %s', async (amountToSend) => {
    const body = { inviterUma: inviter.umaAddress, amountToSend };
    expectProblem(await our.post('/invitations', body), 400, 'INVALID_AMOUNT');
  });

  it.each(['2000-01-01T00:00:00Z', 'tomorrow', '2999-01-01', '9999-12-31T23:59:59-23:59', 7])(
    'refuses the expiry %s',
    async (expiresAt) => {
      const answer = await our.post('/invitations', { inviterUma: inviter.umaAddress, expiresAt });
      expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['expiresAt']);
    },
  );

  it.each(['$nobody@daybook.test', '$ada@elsewhere.example', 'ada', ''])(
    'refuses the inviter %s',
    async (inviterUma) => {
      expectProblem(await our.post('/invitations', { inviterUma }), 400, 'INVALID_UMA_ADDRESS');
    },
  );

  it("refuses another platform's customer", async () => {
    const answer = await their.post('/invitations', { inviterUma: inviter.umaAddress });
    expectProblem(answer, 400, 'INVALID_UMA_ADDRESS');
  });

  it('gives the link the domain that the platform has at the moment', async () => {
    const { umaDomain } = expectStatus(await our.get('/config'), 200);
    const before = await invite();
    expectStatus(await our.patch('/config', { umaDomain: 'pay.example' }), 200);
    expect((await invite()).url).toMatch(/^https:\/\/pay\.example\/invitations\/[0-9a-f]{8}$/);
    expect((await read(before.code)).url).toBe(before.url);
    expectStatus(await our.patch('/config', { umaDomain }), 200);
  });
});

describe('reading an invitation', () => {
  it('is open to another platform', async () => {
    const invitation = await invite({ amountToSend: 1 });
    expect(await read(invitation.code, their)).toEqual(invitation);
  });

  it('is not open to another environment', async () => {
    const { code } = await invite();
    const production = await clientWith(service, ['VIEW'], 'production');
    expectProblem(await production.get(`/invitations/${code}`), 404, 'INVITATION_NOT_FOUND');
  });

  it.each(['00000000', 'ABCDEF01', '0a1b2c3', '0a1b2c3d4', 'xyz', '%00'])(
    'finds nothing under %s',
    async (code) => {
      expectProblem(await our.get(`/invitations/${code}`), 404, 'INVITATION_NOT_FOUND');
      expectProblem(await claimed(our, code), 404, 'INVITATION_NOT_FOUND');
      expectProblem(await cancelled(our, code), 404, 'INVITATION_NOT_FOUND');
    },
  );
});

describe('claiming an invitation', () => {
  it('is open to another platform', async () => {
    const { code } = await invite();
    const claim = expectStatus(await claimed(their, code, '$Bob@Other.example'), 200);
    expect(claim).toMatchObject({ status: 'CLAIMED', inviteeUma, claimedAt: expect.any(String) });
    expect(await read(code)).toEqual(claim);
    expect(await read(code, their)).toEqual(claim);
  });

  it('is recorded as an event of the platform that created it', async () => {
    const { code } = await invite();
    expectStatus(await claimed(their, code), 200);
    const [created, claim] = await eventsOf(code);
    expect(claim).toMatchObject({ type: 'InvitationClaimed', data: { inviteeUma: 'sealed' } });
    expect(claim?.metadata.platformId).toBe(created?.data.platformId);
    expect(claim?.data.claimedBy).not.toBe(created?.data.platformId);
  });

  it('has one winner of 50 over two processes', async () => {
    const { code } = await invite();
    const answers = await together(50, (n) => claimed(n % 2 ? our : their, code, `$b${n}@other.example`));
    expect(countByStatus(answers)).toEqual({ 200: 1, 400: 49 });
    const lost = answers.filter(({ status }) => status === 400);
    for (const answer of lost) expectProblem(answer, 400, 'INVITATION_ALREADY_CLAIMED');
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect(await read(code)).toEqual(winner);
    expect((await eventsOf(code)).map(({ type }) => type)).toEqual([
      'InvitationCreated',
      'InvitationClaimed',
    ]);
  });

  it.each(['bob', '$bob', '$b ob@other.example', '@other.example'])(
    'refuses the invitee %s',
    async (address) => {
      const { code } = await invite();
      expectProblem(await claimed(our, code, address), 400, 'INVALID_UMA_ADDRESS');
      expect((await read(code)).status).toBe('PENDING');
    },
  );

  it('refuses the inviter itself', async () => {
    const { code } = await invite();
    expectProblem(await claimed(our, code, inviter.umaAddress), 400, 'INVALID_UMA_ADDRESS');
  });

  it('refuses the inviter who has another address by now', async () => {
    const moving = await createCustomer(our, { umaAddress: newAddress() });
    const { code } = await invite({ inviterUma: moving.umaAddress });
    const { umaAddress } = await changedCustomer(our, moving, { umaAddress: newAddress() });
    expectProblem(await claimed(their, code, umaAddress), 400, 'INVALID_UMA_ADDRESS');
    expectProblem(await claimed(their, code, moving.umaAddress), 400, 'INVALID_UMA_ADDRESS');
  });

  it('takes another customer who has the former address of the inviter by now', async () => {
    const moving = await createCustomer(our, { umaAddress: newAddress() });
    const { code } = await invite({ inviterUma: moving.umaAddress });
    await changedCustomer(our, moving, { umaAddress: newAddress() });
    const { umaAddress } = await createCustomer(our, { umaAddress: moving.umaAddress });
    expectStatus(await claimed(our, code, umaAddress.toUpperCase()), 200);
  });

  it('moves no money', async () => {
    const account = await accountOf(our, inviter.id, 'EUR');
    await fund(our, account.id, 5_000);
    const invitee = await createCustomer(their, { currencies: ['EUR'] });
    const transactions = async () => expectStatus(await our.get('/transactions'), 200).totalCount;
    const before = await transactions();
    const { code } = await invite({ amountToSend: 2_500 });
    expectStatus(await claimed(their, code, invitee.umaAddress), 200);
    expect((await accountOf(our, inviter.id, 'EUR')).balance.amount).toBe(5_000);
    expect((await accountOf(their, invitee.id, 'EUR')).balance.amount).toBe(0);
    expect(await transactions()).toBe(before);
  });
});

describe('cancelling an invitation', () => {
  it('is final', async () => {
    const { code } = await invite();
    const cancellation = expectStatus(await cancelled(our, code), 200);
    expect(cancellation.status).toBe('CANCELLED');
    expect(await read(code, their)).toEqual(cancellation);
    expectProblem(await claimed(their, code), 400, 'INVITATION_CANCELLED');
    expectProblem(await cancelled(our, code), 400, 'INVITATION_CANCELLED');
  });

  it('is refused to any other platform', async () => {
    const { code } = await invite();
    expectProblem(await cancelled(their, code), 403, 'FORBIDDEN');
    expect((await read(code)).status).toBe('PENDING');
  });

  it('comes too late after a claim', async () => {
    const { code } = await invite();
    expectStatus(await claimed(our, code), 200);
    expectProblem(await cancelled(our, code), 400, 'INVITATION_ALREADY_CLAIMED');
  });

  it('has one winner when a claim comes at once', async () => {
    const { code } = await invite();
    const answers = await together(20, (n) => (n % 2 ? claimed(their, code) : cancelled(our, code)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 400: 19 });
  });
});

describe('an invitation whose inviter is deleted', () => {
  const gone = async (end: (inviter: Json) => Promise<unknown>, sent: object = {}): Promise<string> => {
    const leaving = await createCustomer(our);
    const body = { inviterUma: leaving.umaAddress, amountToSend: 500, ...sent };
    const { code } = expectStatus(await our.post('/invitations', body), 201);
    await end(leaving);
    return code;
  };
  const deleted = async ({ id }: Json) => expectStatus(await our.delete(`/customers/${id}`), 200);
  const erased = ({ id }: Json) =>
    eventually(
      async () => expectStatus(await our.post(`/customers/${id}/erase`), 200),
      ({ status }) => status === 'ERASED',
    );

  it.each([
    ['deleted', deleted],
    ['erased', erased],
  ])('is cancelled where the inviter is %s', async (_how, end) => {
    const code = await gone(end);
    expect((await read(code)).status).toBe('CANCELLED');
    expect((await read(code, their)).status).toBe('CANCELLED');
    expectProblem(await claimed(their, code), 400, 'INVITATION_CANCELLED');
    expectProblem(await cancelled(our, code), 400, 'INVITATION_CANCELLED');
    expectProblem(await cancelled(their, code), 403, 'FORBIDDEN');
  });

  it('says what it said where it was claimed before', async () => {
    const code = await gone(async (leaving) => {
      const [invitation] = await query<{ code: string }>(
        service.databaseUrl,
        "select data->>'code' as code from daybook_log.events where type = 'InvitationCreated' and data->>'customerId' = $1",
        [leaving.id],
      );
      expectStatus(await claimed(their, invitation?.code ?? ''), 200);
      await deleted(leaving);
    });
    expect(await read(code)).toMatchObject({ status: 'CLAIMED', inviteeUma });
  });

  it('is cancelled still when its time is over', async () => {
    const code = await gone(deleted, { expiresAt: soon(1_000) });
    await eventually(
      () => timersOf(code),
      ({ length }) => length === 0,
    );
    expect((await read(code)).status).toBe('CANCELLED');
    expect((await eventsOf(code)).at(-1)?.type).toBe('InvitationCancelled');
    expectProblem(await claimed(our, code), 400, 'INVITATION_CANCELLED');
  });
});

describe('a token', () => {
  it.each(['VIEW', 'TRANSACT'])('changes nothing when it has %s alone', async (permission) => {
    const limited = await clientWith(service, [permission]);
    const { code } = await invite();
    expect((await read(code, limited)).status).toBe('PENDING');
    const answers = [
      await limited.post('/invitations', { inviterUma: inviter.umaAddress }),
      await claimed(limited, code),
      await cancelled(limited, code),
    ];
    for (const answer of answers)
      expect(expectProblem(answer, 403, 'FORBIDDEN').details.requiredPermission).toBe('MANAGE');
  });
});

const timersOf = (code: string) =>
  query(service.databaseUrl, 'select kind from daybook.timers where subject = $1', [
    idOf('Invitation', invitationStream('sandbox', code)),
  ]);
const expectExpired = async (code: string): Promise<void> => {
  for (const answer of [await claimed(our, code), await cancelled(our, code)])
    expect(expectProblem(answer, 400, 'INVALID_INPUT').details).toEqual({ status: 'EXPIRED' });
};

describe('an invitation whose time is over', () => {
  it('is expired by its timer', async () => {
    const { code } = await invite({ expiresAt: soon(1_000) });
    const last = async () => (await eventsOf(code)).at(-1)?.type;
    await eventually(last, (type) => type === 'InvitationExpired');
    expect((await read(code)).status).toBe('EXPIRED');
    await expectExpired(code);
    expect(
      await eventually(
        () => timersOf(code),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });

  it('has a timer until it is claimed or cancelled', async () => {
    const invitations = await together(3, () => invite({ expiresAt: soon(60_000) }));
    const [pending, claim, cancel] = invitations.map(({ code }) => code);
    expectStatus(await claimed(their, claim), 200);
    expectStatus(await cancelled(our, cancel), 200);
    const timers = await Promise.all(invitations.map(({ code }) => timersOf(code)));
    expect(timers).toEqual([[{ kind: 'expire-invitation' }], [], []]);
    expectStatus(await cancelled(our, pending), 200);
  });

  it('is shown as expired before its timer', async () => {
    const started = await startTestService({ clock, variables: { DAYBOOK_ROLES: 'api,projector' } });
    const { client } = started;
    const { umaAddress } = await createCustomer(client);
    const body = { inviterUma: umaAddress, expiresAt: soon(60_000) };
    const { code } = expectStatus(await client.post('/invitations', body), 201);
    expect((await read(code, client)).status).toBe('PENDING');
    clock.advance(60_000);
    expect((await read(code, client)).status).toBe('EXPIRED');
    expect(expectProblem(await claimed(client, code), 400).details).toEqual({ status: 'EXPIRED' });
    await started.stop();
  });
});
