import { describe, expect, it } from 'vitest';
import { verificationOutcomes } from '../../src/sandbox/outcomes.ts';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';

const { client } = serviceOfTests();
const register = (currency: string, accountInfo: object) =>
  client.post('/platform/external-accounts', { currency, accountInfo });

describe('a number with check digits', () => {
  it.each([
    ['EUR', 'EUR_ACCOUNT', { iban: 'DE88370400440532013000' }, 'iban'],
    ['EUR', 'EUR_ACCOUNT', { iban: 'DE8937040044053201300' }, 'iban'],
    ['EUR', 'EUR_ACCOUNT', { iban: 'ZZ89370400440532013000' }, 'iban'],
    ['AED', 'AED_ACCOUNT', { iban: 'AE080331234567890123456' }, 'iban'],
    ['DKK', 'DKK_ACCOUNT', { iban: 'DK5100400440116243' }, 'iban'],
    ['EGP', 'EGP_ACCOUNT', { iban: 'EG390019000500000000263180012' }, 'iban'],
    ['PKR', 'PKR_ACCOUNT', { iban: 'PK37SCBL0000001123456702' }, 'iban'],
    ['USD', 'USD_ACCOUNT', { routingNumber: '021000022' }, 'routingNumber'],
    ['USD', 'USD_ACCOUNT', { routingNumber: '990000000' }, 'routingNumber'],
    ['USD', 'USD_ACCOUNT', { intermediaryRoutingNumber: '123456789' }, 'intermediaryRoutingNumber'],
  ] as const)('is refused in %s where they do not fit: %s %j', async (currency, type, wrong, field) => {
    const problem = expectProblem(
      await register(currency, accountInfoInput(type, wrong)),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual([`accountInfo.${field}`]);
  });

  it('is named beside the others that are wrong', async () => {
    const wrong = { routingNumber: '021000022', intermediaryRoutingNumber: '021000023' };
    const problem = expectProblem(await register('USD', accountInfoInput('USD_ACCOUNT', wrong)), 400);
    expect(namedFields(problem)).toEqual([
      'accountInfo.intermediaryRoutingNumber',
      'accountInfo.routingNumber',
    ]);
  });

  it.each([
    ['EUR', 'EUR_ACCOUNT', { iban: 'DE89370400440532013000' }],
    ['EUR', 'EUR_ACCOUNT', { iban: 'FR1420041010050500013m02606' }],
    ['AED', 'AED_ACCOUNT', { iban: 'AE070331234567890123456' }],
    ['DKK', 'DKK_ACCOUNT', { iban: 'DK5000400440116243' }],
    ['USD', 'USD_ACCOUNT', { routingNumber: '021000021', intermediaryRoutingNumber: '011401533' }],
  ] as const)('is taken in %s where they fit: %s %j', async (currency, type, right) => {
    expectStatus(await register(currency, accountInfoInput(type, right)), 201);
  });
});

describe('an IBAN that steers the sandbox', () => {
  it.each(['002', '003', '004', '005', '006', '007', '121'])('has any check digits: %s', async (suffix) => {
    const iban = `DE89370400440532013${suffix}`;
    expectStatus(await register('EUR', accountInfoInput('EUR_ACCOUNT', { iban })), 201);
  });

  it.each(Object.entries(verificationOutcomes))(
    'has them for its name too: %s %s',
    async (suffix, meaning) => {
      const iban = `DE89370400440532013${suffix}`;
      const { status, body } = await register('EUR', accountInfoInput('EUR_ACCOUNT', { iban }));
      const ends = {
        INVALID_ACCOUNT: [400, 'INVALID_BANK_ACCOUNT'],
        SIMULATED_ERROR: [500, 'INTERNAL_ERROR'],
      };
      expect([status, body.code]).toEqual(ends[meaning as keyof typeof ends] ?? [201, undefined]);
    },
  );
});
