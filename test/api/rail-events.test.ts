import { expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

const service = serviceOfTests({
  rail: async () => ({ ...fickleRail, receive: () => new Promise<never>(() => {}) }),
  variables: { DAYBOOK_REQUEST_DEADLINE_SECONDS: '1' },
});

it('an event of the rail has the time of a request, and is to be told again after it', async () => {
  const url = `${service.url.slice(0, -basePath.length)}/rail/events`;
  const answer = await fetch(url, { method: 'POST', body: '{}' });
  const { status, headers } = answer;
  expectProblem({ status, headers, body: await answer.json() }, 503, 'SERVICE_UNAVAILABLE');
  expect(headers.get('retry-after')).toMatch(/^[1-9]/);
});
