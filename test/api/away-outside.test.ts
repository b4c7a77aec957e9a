import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import type { Answer } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { startTestService, type TestOptions, type TestService } from '../support/processes/service.ts';
import { createBusiness, eventually, expectStatus } from '../support/resources/flows.ts';
import { eurInfo, transferOut } from '../support/resources/payments.ts';
import { transferParties } from '../support/resources/transfers.ts';
import { ownerBody } from '../support/resources/verification.ts';
import { answering, startReceiver } from '../support/servers/receiver.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

async function start(options: TestOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  return service;
}

describe('a screening that does not answer', () => {
  it('is told of once, however often it is asked', async () => {
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => void lines.push(line) });
    const fails = () => Promise.reject(new Error('away'));
    const { client } = await start({ log, screening: () => ({ customer: fails, owner: fails }) });
    const { id } = await createBusiness(client);
    for (let n = 0; n < 3; n++) expectProblem(await client.post('/beneficial-owners', ownerBody(id)), 503);
    expect(lines.filter((line) => line.includes('the screening gave no answer'))).toHaveLength(1);
  });
});

describe('a rail whose answers are none', () => {
  it('leaves payments under way, and refuses what depends on its answer for now', async () => {
    let isWrong = false;
    const orWrong = <Said>(said: Said, wrong: unknown): Said => (isWrong ? (wrong as Said) : said);
    const { submit, checkName } = fickleRail;
    const { client } = await start({
      rail: async () => ({
        ...fickleRail,
        submit: async (...asked) => orWrong(await submit(...asked), { status: 'accepted', checkAt: 'soon' }),
        checkName: async (...asked) => orWrong(await checkName(...asked), { status: 'NONSENSE' }),
        receiverAt: () => orWrong(undefined, { currencies: 'EUR' }),
      }),
    });
    const { customer, account, external } = await transferParties(client);
    isWrong = true;
    const { status } = expectStatus(await transferOut(client, account.id, external.id, 1_000), 201);
    expect(status).toBe('PENDING');
    const unavailable = (answer: Answer) => expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
    const body = { customerId: customer.id, currency: 'EUR', accountInfo: eurInfo('789') };
    unavailable(await client.post('/customers/external-accounts', body));
    unavailable(await client.get('/receiver/uma/$ada@bank.example', { customerId: customer.id }));
  });
});

describe('a receiver that takes longer than a request may', () => {
  it('is tested all the same', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { client } = await start({ variables: { DAYBOOK_REQUEST_DEADLINE_SECONDS: '2' } });
    await eventually(
      () => client.patch('/config', { webhookEndpoint: receiver.url }),
      ({ status }) => status === 200,
    );
    const late = answering(201, {}, 'late');
    receiver.answer((received, response) => void setTimeout(() => late(received, response), 2_500));
    expect(expectStatus(await client.post('/sandbox/webhooks/test'), 200)).toMatchObject({
      response_status: 201,
      response_body: 'late',
    });
  });
});
