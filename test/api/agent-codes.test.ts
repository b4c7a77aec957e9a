import { beforeAll, describe, expect, it } from 'vitest';
import { agentClientOf, type Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accessTokenFrom, createAgent, redeem } from '../support/resources/agents.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();

const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service);
let customer: Json;
beforeAll(async () => {
  customer = await createCustomer(client);
});

const create = () => createAgent(client, customer.id);
const read = async ({ id }: Json): Promise<Json> => expectStatus(await client.get(`/agents/${id}`), 200);
const newCode = ({ id }: Json) => client.post(`/agents/${id}/device-codes`);
const statusOf = (code: string, by = client) => by.get(`/agents/device-codes/${code}/status`);

describe('a device code', () => {
  it('is redeemed without credentials for an access token', async () => {
    const { agent, deviceCode } = await create();
    expect((await statusOf(deviceCode.code)).body).toEqual({ code: deviceCode.code, redeemed: false });
    const redeemed = expectStatus(await redeem(client, deviceCode.code), 200);
    expect(redeemed).toEqual({
      agentId: agent.id,
      agentName: 'Bookkeeper',
      accessToken: expect.stringMatching(/^agt_[0-9a-f]{64}$/),
      policy: agent.policy,
    });
    expect((await statusOf(deviceCode.code)).body).toEqual({ code: deviceCode.code, redeemed: true });
    expect((await read(agent)).isConnected).toBe(true);
    const me = agentClientOf(client, redeemed.accessToken);
    expect((await me.get('/agents/me')).body).toEqual(await read(agent));
  });

  it('is redeemed by one of 50, over two processes', async () => {
    const { deviceCode } = await create();
    const through = [client, beside.client];
    const answers = await together(50, (n) => redeem(through[n % 2] ?? client, deviceCode.code));
    expect(countByStatus(answers)).toEqual({ 200: 1, 400: 49 });
    const { accessToken } = answers.find(({ status }) => status === 200)?.body ?? {};
    expectStatus(await agentClientOf(client, accessToken).get('/agents/me'), 200);
    const [tokens] = await query<{ n: string }>(
      service.databaseUrl,
      'select count(*) as n from daybook.agent_tokens where agent_id = $1',
      [deviceCode.agentId],
    );
    expect(tokens?.n).toBe('1');
  });

  it('is void once a later one was issued', async () => {
    const { agent, deviceCode } = await create();
    const later = expectStatus(await newCode(agent), 201);
    expect(later).toMatchObject({ agentId: agent.id, redeemed: false, expiresAt: expect.any(String) });
    const problem = expectProblem(await redeem(client, deviceCode.code), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('VOIDED');
    expectStatus(await redeem(client, later.code), 200);
    expect((await statusOf(deviceCode.code)).body.redeemed).toBe(false);
    expect((await statusOf(later.code)).body.redeemed).toBe(true);
  });

  it('is not issued to an agent that is connected', async () => {
    const created = await create();
    await accessTokenFrom(client, created);
    expectProblem(await newCode(created.agent), 409, 'CONFLICT');
    const problem = expectProblem(await redeem(client, created.deviceCode.code), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('REDEEMED');
  });

  it('leaves nothing behind where it was drawn in vain', async () => {
    const created = await create();
    await accessTokenFrom(client, created);
    for (let n = 0; n < 3; n++) expectProblem(await newCode(created.agent), 409, 'CONFLICT');
    const of = 'select count(*)::int as n from daybook.agent_device_codes where agent_id = $1';
    expect(await query(service.databaseUrl, of, [created.agent.id])).toEqual([{ n: 1 }]);
  });

  it.each(['SVC-AGENT-AAAA-AAAA', 'SVC-AGENT-0000-1111', 'nothing', '%00', 'x'.repeat(1000)])(
    'is not found when it is %s',
    async (code) => {
      expectProblem(await redeem(client, code), 404, 'REFERENCE_NOT_FOUND');
      expectProblem(await statusOf(code), 404, 'REFERENCE_NOT_FOUND');
    },
  );

  it('may be asked for by its platform alone', async () => {
    const { deviceCode } = await create();
    expectProblem(await statusOf(deviceCode.code, beside.client), 404, 'REFERENCE_NOT_FOUND');
    expectStatus(await redeem(beside.client, deviceCode.code), 200);
  });

  it('is nowhere in the log, as little as its token', async () => {
    const created = await create();
    const { code } = created.deviceCode;
    const accessToken = await accessTokenFrom(client, created);
    const found = await query(
      service.databaseUrl,
      'select id from daybook_log.events where data::text like $1 or data::text like $2',
      [`%${code}%`, `%${accessToken.slice(4)}%`],
    );
    expect(found).toEqual([]);
  });

  it('expires after a day', async () => {
    const { agent, deviceCode } = await create();
    clock.advance(86_400_000);
    const problem = expectProblem(await redeem(client, deviceCode.code), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('EXPIRED');
    expectStatus(await redeem(client, expectStatus(await newCode(agent), 201).code), 200);
  });
});
