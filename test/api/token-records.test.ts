import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import type { Json } from '../support/http/client.ts';
import { appendFunction } from '../support/log/raw-log.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, startTestService, type TestService } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { clientFor, issueToken } from '../support/resources/tokens.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { patienceMs } from '../support/time/patience.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

const recordsOf = ({ id }: Json, { databaseUrl }: Pick<TestService, 'databaseUrl'> = service) =>
  query<{ type: string; data: Json; actor: string }>(
    databaseUrl,
    `select type, data, metadata->>'actor' as actor from daybook_log.events where stream = $1 order by revision`,
    [`token-${uuidOf(id)}`],
  );
const typesOf = async (token: Json, of?: TestService) => (await recordsOf(token, of)).map(({ type }) => type);
const actorOf = ({ id }: Json) => `token:${id}`;
const firstToken = async (of: TestService = service): Promise<Json> =>
  expectStatus(await of.client.get('/tokens', { name: 'First token' }), 200).data[0];

/** Nothing can be appended until the returned function has run. */
async function logAway(databaseUrl: string): Promise<() => Promise<unknown>> {
  const rename = (from: string, to: string) =>
    query(databaseUrl, `alter function ${appendFunction.replace('append_events', from)} rename to ${to}`);
  await rename('append_events', 'append_events_away');
  return () => rename('append_events_away', 'append_events');
}

describe('the log', () => {
  it('says who issued a token, for whom, and who deleted it, and no secret', async () => {
    const issuer = await firstToken();
    const token = await issueToken(client, ['VIEW'], 'Grace, reporting');
    const { clientSecret, createdAt, updatedAt: _updated, id: tokenId, ...shown } = token;
    const [issued] = await recordsOf(token);
    expect(issued).toMatchObject({
      type: 'TokenIssued',
      data: { ...shown, tokenId, environment: 'sandbox', at: createdAt },
      actor: actorOf(issuer),
    });
    expect(JSON.stringify(issued)).not.toContain(clientSecret);
    expectStatus(await client.delete(`/tokens/${tokenId}`), 204);
    expect((await recordsOf(token)).map(({ type, actor }) => [type, actor])).toEqual([
      ['TokenIssued', actorOf(issuer)],
      ['TokenDeleted', actorOf(issuer)],
    ]);
  });

  it('has the first token of an installation, once for all starts', async () => {
    const one = await startTestService();
    await one.stop();
    const variables = {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: one.credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: one.credentials.clientSecret,
    };
    const again = await startBeside(one, { variables });
    onTestFinished(again.stop);
    const renewing = { ...variables, DAYBOOK_BOOTSTRAP_CLIENT_SECRET: 'another secret, as long as it takes' };
    const renewed = await startBeside(one, { variables: renewing });
    onTestFinished(renewed.stop);
    const types = (await recordsOf(await firstToken(renewed), one)).filter(
      ({ type }) => type !== 'TokenUsed',
    );
    expect(types.map(({ type, actor }) => [type, actor])).toEqual([
      ['TokenIssued', 'bootstrap'],
      ['TokenRenewed', 'bootstrap'],
    ]);
  });

  it('says on which days a token was used, once for each', async () => {
    const token = await issueToken(client, ['VIEW']);
    const holder = clientFor(service.url, token);
    const use = () => Promise.all([1, 2, 3].map(() => holder.get('/config')));
    const until = (count: number) =>
      vi.waitFor(
        async () => {
          const days = (await recordsOf(token)).filter(({ type }) => type === 'TokenUsed');
          expect(days).toHaveLength(count);
          return days.map(({ data: { day }, actor }) => [day, actor]);
        },
        { timeout: patienceMs, interval: 200 },
      );
    await use();
    const today = clock.now().toISOString().slice(0, 10);
    expect(await until(1)).toEqual([[today, actorOf(token)]]);
    await use();
    clock.advance(24 * 3_600_000);
    const tomorrow = clock.now().toISOString().slice(0, 10);
    await use();
    expect(await until(2)).toEqual([
      [today, actorOf(token)],
      [tomorrow, actorOf(token)],
    ]);
  });

  it('says that of a process that ends soon after, too', async () => {
    const one = await startTestService();
    const token = await issueToken(one.client, ['VIEW']);
    expectStatus(await clientFor(one.url, token).get('/config'), 200);
    await one.stop();
    expect(await typesOf(token, one)).toEqual(['TokenIssued', 'TokenUsed']);
  });
});

describe('while the log cannot be written', () => {
  it('no token is issued', async () => {
    const one = await startTestService();
    onTestFinished(one.stop);
    await one.client.get('/tokens');
    const back = await logAway(one.databaseUrl);
    const refused = await one.client.post('/tokens', { name: 'unheard of', permissions: ['VIEW'] });
    await back();
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(expectStatus(await one.client.get('/tokens', { name: 'unheard of' }), 200).data).toEqual([]);
  });

  it('a token is deleted all the same, and recorded when the log is back', async () => {
    const one = await startTestService();
    onTestFinished(one.stop);
    const issuer = await firstToken(one);
    const token = await issueToken(one.client, ['VIEW']);
    const back = await logAway(one.databaseUrl);
    expectStatus(await one.client.delete(`/tokens/${token.id}`), 204);
    await back();
    expect(await typesOf(token, one)).toEqual(['TokenIssued']);
    const worker = await startBeside(one, { variables: { DAYBOOK_ROLES: 'worker' } });
    onTestFinished(worker.stop);
    await vi.waitFor(async () => expect(await typesOf(token, one)).toHaveLength(2), { timeout: patienceMs });
    const [, deleted] = await recordsOf(token, one);
    expect(deleted).toMatchObject({ type: 'TokenDeleted', actor: actorOf(issuer) });
  });
});

describe('a token of a former version', () => {
  it('is written to the log, once by many processes', async () => {
    const one = await startTestService();
    onTestFinished(one.stop);
    const id = idOf('Token', '01a1f84e-cc35-73e8-b3e0-2cdab6292ce9');
    await query(
      one.databaseUrl,
      `insert into daybook.api_tokens
         (id, platform_id, name, client_id, secret_hash, permissions, environment, created_at, updated_at)
       select $1, platform_id, 'old', 'old', secret_hash, permissions, environment, created_at, created_at
       from daybook.api_tokens where client_id = $2`,
      [id, one.credentials.clientId],
    );
    const workers = await Promise.all(
      [1, 2].map(() => startBeside(one, { variables: { DAYBOOK_ROLES: 'worker' } })),
    );
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
    await vi.waitFor(async () => expect(await typesOf({ id }, one)).toEqual(['TokenIssued']), {
      timeout: patienceMs,
    });
  });
});
