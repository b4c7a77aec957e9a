import { describe, expect, it } from 'vitest';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';

const { client } = serviceOfTests();

const bad = [
  'Ada\r\nBcc: all@pay.example',
  'Ada\nPay',
  'Ada\u2028Pay',
  'Ada\u202eyaP',
  'Ada\u0007',
  'Pay at https://pay.example/login',
  'www.pay',
  'ada@pay.example',
  'Log in at pay.example',
  'a'.repeat(256),
];
const good = ['Ada Pay', 'St. Mary & Söhne', 'Пэй', 'No. 1', 'Purse <&>', 'a'.repeat(255)];

describe.each(['appName', 'sendFromEmailSenderName'])('%s', (field) => {
  it.each(bad)('is not %j', async (name) => {
    const answer = await client.patch('/config', { embeddedWalletConfig: { [field]: name } });
    const problem = expectProblem(answer, 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([`embeddedWalletConfig.${field}`]);
  });

  it.each(good)('may be %j', async (name) => {
    const { embeddedWalletConfig } = expectStatus(
      await client.patch('/config', { embeddedWalletConfig: { [field]: name } }),
      200,
    );
    expect(embeddedWalletConfig[field]).toBe(name);
  });
});
