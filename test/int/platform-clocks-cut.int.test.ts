import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/infrastructure/postgres/embedded.ts';
import { type Client, clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { holdProjector } from '../support/postgres/read-models.ts';
import { startTestService, type TestOptions } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { lineTo } from '../support/servers/line.ts';

const hourMs = 3_600_000;

async function started(options: TestOptions = {}) {
  const service = await startTestService({ patienceMs: undefined, ...options });
  onTestFinished(service.stop);
  return service;
}

const statusOf = async (client: Client): Promise<string> =>
  expectStatus(await client.get('/sandbox/clock'), 200).status;
const untilStatus = (client: Client, status: string) =>
  eventually(
    () => statusOf(client),
    (found) => found === status,
  );
const advance = (client: Client) => client.post('/sandbox/clock/advance', { duration: 'PT1H' });

/**
 * A clock that runs is advanced by way of one process, which waits for the read models; another looks on. The first one
 * waits so long for what it rests on.
 */
async function advanceUnderWay({ patienceMs = 20_000 } = {}) {
  const beside = await started();
  const { databaseUrl, credentials, client: there } = beside;
  const line = await lineTo(databaseUrl);
  const service = await started({
    databaseUrl: line.url,
    variables: { DAYBOOK_ROLES: 'api' },
    patienceMs,
  });
  const here = clientOf(service.url, credentials);
  const release = await holdProjector(databaseUrl);
  const answer = advance(here);
  await untilStatus(there, 'FROZEN');
  return { line, service, databaseUrl, credentials, there, release, answer };
}

describe("a platform's clock that runs, and is advanced", () => {
  it('goes on where its advance fails for want of the log, once that is back', async () => {
    const { line, databaseUrl, there, release, answer } = await advanceUnderWay({ patienceMs: 5_000 });
    line.leadTo(`tcp://127.0.0.1:${await freePort()}`);
    expectProblem(await answer, 503, 'SERVICE_UNAVAILABLE');
    await release();
    expect(await statusOf(there)).toBe('FROZEN');
    line.leadTo(databaseUrl);
    await untilStatus(there, 'RUNNING');
  });

  it('goes on where the process stops that advances it', async () => {
    const { service, there, release, answer } = await advanceUnderWay();
    await Promise.all([service.stop(), answer.catch(() => undefined)]);
    await release();
    expect(await statusOf(there)).toBe('RUNNING');
  });

  it('is stopped again where another process has it go on meanwhile, and goes on', async () => {
    const { there, release, answer } = await advanceUnderWay();
    const resumed = expectStatus(await there.post('/sandbox/clock/resume'), 200);
    expect(resumed.status).toBe('RUNNING');
    await release();
    const advanced = expectStatus(await answer, 200);
    expect(Date.parse(advanced.now) - Date.parse(resumed.now)).toBeGreaterThan(hourMs / 2);
    expect(await statusOf(there)).toBe('RUNNING');
  });

  it('goes on with the next start where its process is gone', async () => {
    const { line, databaseUrl, there, release, answer } = await advanceUnderWay({ patienceMs: 5_000 });
    line.cutForGood();
    void answer.catch(() => undefined);
    await release();
    expect(await statusOf(there)).toBe('FROZEN');
    await started({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });
    await untilStatus(there, 'RUNNING');
  });

  it('stands still where somebody stops it meanwhile by another process, and at a start later', async () => {
    const { databaseUrl, credentials, there, release, answer } = await advanceUnderWay();
    expectStatus(await there.post('/sandbox/clock/freeze'), 200);
    await release();
    expect(expectStatus(await answer, 200).status).toBe('FROZEN');
    const { url } = await started({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });
    const later = await advance(clientOf(url, credentials));
    expect(expectStatus(later, 200).status).toBe('FROZEN');
  });
});
