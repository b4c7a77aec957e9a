import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { once } from '../../src/infrastructure/scheduling/once.ts';
import { type Client, clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, startTestService, type TestService } from '../support/processes/service.ts';
import { eventually, expectStatus, payoutParties, quoteBody } from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const hourMs = 3_600_000;
const clock = movableClock();
/** Nothing expires but by whom it is asked of. */
const variables = { DAYBOOK_ROLES: 'api,projector' };
const service = serviceOfTests({ clock, variables });
const { client } = service;
/** Of another process on the same database. */
let other: TestService;
let otherClient: Client;
let pool: Pool;
beforeAll(async () => {
  const { databaseUrl } = service;
  other = await startTestService({ clock, databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });
  otherClient = clientOf(other.url, service.credentials);
  pool = createPool({ url: databaseUrl, max: 1, name: 'holding', statementMaxMs: 0 });
});
afterAll(async () => {
  await pool.end();
  await other.stop();
});

async function openQuote() {
  const { account, payee } = await payoutParties(client);
  return expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
}

/** As each request with a key sends it. */
function executing(quote: { readonly id: string }) {
  const key = randomUUID();
  return (by: Client) => by.post(`/quotes/${quote.id}/execute`, undefined, { 'idempotency-key': key });
}

/** Keeps every process from appending until it is let go. */
async function holdLog(): Promise<() => Promise<void>> {
  const connection = await pool.connect();
  await connection.query(`begin; select pg_advisory_xact_lock(hashtext('daybook_log'))`);
  const letGo = once(async () => {
    await connection.query('rollback');
    connection.release();
  });
  onTestFinished(letGo);
  return letGo;
}

const untilOneWaits = () =>
  eventually(
    () =>
      query(
        service.databaseUrl,
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      ),
    ({ length }) => length > 0,
  );

/** As if the key had been taken so long ago. */
const takenEarlier = (seconds: number) =>
  query(
    service.databaseUrl,
    `update daybook.idempotency_keys set held_until = held_until - $1 * interval '1 second',
       at_work_until = at_work_until - $1 * interval '1 second' where status is null`,
    [seconds],
  );

describe('a request with a key that is repeated elsewhere while it is at work', () => {
  it('is not refused there before it can do nothing more here', async () => {
    const execute = executing(await openQuote());
    const letGo = await holdLog();
    const first = execute(client);
    await untilOneWaits();
    clock.advance(hourMs);
    await takenEarlier(6);
    const early = await execute(otherClient);
    expectProblem(early, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(5);
    await letGo();
    const { id } = expectStatus(await first, 200);
    expect(expectStatus(await execute(otherClient), 200).id).toBe(id);
  });

  it('is not refused there at the second try, either', async () => {
    const execute = executing(await openQuote());
    const letGo = await holdLog();
    const first = execute(client);
    await untilOneWaits();
    clock.advance(hourMs);
    await takenEarlier(6);
    const waits: number[] = [];
    for (let n = 0; n < 3; n++) {
      const early = await execute(otherClient);
      expectProblem(early, 503, 'SERVICE_UNAVAILABLE');
      waits.push(Number(early.headers.get('retry-after')));
    }
    // Those who were told to come again make nobody wait longer.
    expect(waits).toEqual(waits.toSorted((one, next) => next - one));
    await letGo();
    expectStatus(await first, 200);
    expectStatus(await execute(otherClient), 200);
  });
});
