import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { expectProblem } from '../support/http/problems.ts';
import { startTestService, type TestOptions, type TestService } from '../support/processes/service.ts';
import { createBusiness, eventually, expectStatus } from '../support/resources/flows.ts';
import { ownerBody } from '../support/resources/verification.ts';
import { answering, startReceiver } from '../support/servers/receiver.ts';

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
