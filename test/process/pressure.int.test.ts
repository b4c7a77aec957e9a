import { describe, expect, it, onTestFinished } from 'vitest';
import { ofOneTenantMax } from '../../src/infrastructure/http/pressure.ts';
import { type Answer, clientOf } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { holdProjector, untilShown } from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import {
  eventually,
  expectStatus,
  individual,
  payoutParties,
  quoteBody,
} from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';

const header = 'daybook-read-models';

/** An answer waits for the read models as long as usual, however long a test waits. */
const inAHurry = { patienceMs: undefined };
/** For all requests of a test to be under way at the same time. In milliseconds. */
const longEnough = 30_000;

describe('an answer that the read models do not show yet', () => {
  it('says so, and only then', async () => {
    const { client, databaseUrl, stop } = await startTestService(inAHurry);
    const shown = () =>
      eventually(
        () => client.post('/customers', individual()),
        ({ status, headers }) => status === 201 && headers.get(header) === null,
      );
    const before = await shown();
    const release = await holdProjector(databaseUrl);
    const behind = await client.post('/customers', individual());
    await release();
    await untilShown(databaseUrl);
    const after = await shown();
    expect([before, behind, after].map(({ status, headers }) => [status, headers.get(header)])).toEqual([
      [201, null],
      [201, 'behind'],
      [201, null],
    ]);
    const { id } = expectStatus(behind, 201);
    expectStatus(await client.get(`/customers/${id}`), 200);
    await stop();
  });

  it('says so each time that it is asked for again under its key', async () => {
    const { client, databaseUrl, stop } = await startTestService(inAHurry);
    const { account, payee } = await payoutParties(client);
    const release = await holdProjector(databaseUrl);
    const key = { 'Idempotency-Key': 'asked twice' };
    const ask = () => client.post('/quotes', quoteBody(account.id, payee.id), key);
    const answers = [await ask(), await ask()];
    await release();
    await untilShown(databaseUrl);
    answers.push(await ask());
    expect(answers.map(({ headers }) => [headers.get('idempotent-replayed'), headers.get(header)])).toEqual([
      [null, 'behind'],
      ['true', 'behind'],
      ['true', null],
    ]);
    const { transactionId } = expectStatus(answers[2] as Answer, 201);
    expectStatus(await client.get(`/transactions/${transactionId}`), 200);
    await stop();
  });
});

describe('many more requests than are carried at once', () => {
  it('are answered or refused, and what was refused was not done', async () => {
    const { client, databaseUrl, stop } = await startTestService({ patienceMs: longEnough });
    const release = await holdProjector(databaseUrl);
    const sent = Array.from({ length: 600 }, () => client.post('/customers', individual()));
    const answers = await Promise.all(sent).finally(release);
    const done = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 503);
    expect(done.length + refused.length).toBe(answers.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    }
    await eventually(
      async () => expectStatus(await client.get('/customers?limit=1'), 200),
      ({ totalCount }) => totalCount === done.length,
    );
    await stop();
  });
});

describe('a platform with as many requests under way as it may have', () => {
  it('is refused more, documents among them, and another platform is not', async () => {
    const service = await startTestService();
    onTestFinished(service.stop);
    const { client, databaseUrl, url } = service;
    const beside = await startBeside(service);
    onTestFinished(beside.stop);
    const other = clientOf(url, beside.credentials);
    const holder = expectStatus(await client.post('/customers', individual()), 201).id;
    const release = await holdProjector(databaseUrl);
    const refused: Answer[] = [];
    const sent = together(ofOneTenantMax + 8, async () => {
      const answer = await client.post('/customers', individual());
      if (answer.status !== 201) refused.push(answer);
    });
    await eventually(
      async () => refused.length,
      (count) => count === 8,
    );
    const document = await client.form('POST', '/documents', formOf(fieldsOf(holder)));
    const config = await other.get('/config');
    await release();
    await sent;
    for (const answer of [...refused, document]) expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
    expectStatus(config, 200);
    expectStatus(await client.form('POST', '/documents', formOf(fieldsOf(holder))), 201);
  });
});
