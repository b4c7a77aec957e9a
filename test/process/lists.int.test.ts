import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { connect } from '../support/log/raw-log.ts';
import { startTestService } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';

/** A service gives lists up after its own time, however long a test waits. */
const inAHurry = { patienceMs: undefined };

/** As slow as lists can be: nobody reads the table until this is released. */
async function holdCustomers(databaseUrl: string): Promise<() => Promise<unknown>> {
  const holder = await connect(databaseUrl);
  await holder.query('begin');
  await holder.query('lock table daybook.customers in access exclusive mode');
  const release = async () => holder.query('rollback');
  onTestFinished(async () => void (await release()));
  return release;
}

function expectTooMuch(answer: Answer): void {
  const { details } = expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
  expect(answer.headers.get('retry-after')).toBe(String(details.retryAfterSeconds));
}

describe('lists that take too long', () => {
  it('are given up, and hold up nobody else', async () => {
    const { client, databaseUrl, stop } = await startTestService(inAHurry);
    onTestFinished(stop);
    await createCustomer(client);
    const release = await holdCustomers(databaseUrl);
    const lists = Array.from({ length: 20 }, () => client.get('/customers'));
    expectStatus(await client.get('/config'), 200);
    expectStatus(await client.post('/tokens', { name: 'meanwhile', permissions: ['VIEW'] }), 201);
    for (const answer of await Promise.all(lists)) expectTooMuch(answer);
    await release();
    expect(expectStatus(await client.get('/customers'), 200).totalCount).toBe(1);
  });

  it('are waited for by a service that was given patience', async () => {
    const { client, databaseUrl, stop } = await startTestService(inAHurry);
    onTestFinished(stop);
    const patient = await startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });
    onTestFinished(patient.stop);
    const through = clientOf(patient.url, patient.credentials);
    const release = await holdCustomers(databaseUrl);
    const waiting = through.get('/customers');
    expectTooMuch(await client.get('/customers'));
    await release();
    expectStatus(await waiting, 200);
  });

  it('of one platform leave a connection to the others', async () => {
    const service = await startTestService(inAHurry);
    onTestFinished(service.stop);
    const { client, databaseUrl, url } = service;
    const beside = await startBeside(service);
    onTestFinished(beside.stop);
    const other = clientOf(url, beside.credentials);
    await holdCustomers(databaseUrl);
    expectTooMuch(await client.get('/customers'));
    expectStatus(await other.get('/agents'), 200);
    const lists = Array.from({ length: 20 }, () => client.get('/customers'));
    for (let n = 0; n < 20; n++) expectStatus(await other.get('/agents'), 200);
    for (const answer of await Promise.all(lists)) expectTooMuch(answer);
  });

  it('are refused at once when as many are waiting as wait', async () => {
    const { client, databaseUrl, stop } = await startTestService(inAHurry);
    onTestFinished(stop);
    await holdCustomers(databaseUrl);
    const answers: Answer[] = [];
    const lists = Array.from({ length: 250 }, async () => {
      const answer = await client.get('/customers');
      answers.push(answer);
    });
    await Promise.all(lists);
    answers.forEach(expectTooMuch);
    const [first] = answers;
    expect(first?.body.message).toContain('More lists are waiting');
  });
});
