import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Finding, ScreeningReports } from '../../src/domain/ports/screening.ts';
import { signedHeaders } from '../../src/infrastructure/secrets/signed-message.ts';
import { httpScreening } from '../../src/outside/http-screening.ts';
import { boundedScreening } from '../../src/use-cases/customers/bounded-screening.ts';
import { activeCustomer } from '../support/builders/customers.ts';
import { screenedCustomer, screenedOwner, verificationId } from '../support/builders/verification.ts';
import { railSecret as secret } from '../support/rails/rail-modules.ts';
import { msLater, testStart } from '../support/time/clock.ts';
import { patienceMs } from '../support/time/patience.ts';
import { sequentialIds } from '../support/values/ids.ts';

const received: string[] = [];
let said: unknown = {};
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push(Buffer.concat(chunks).toString());
  response.end(JSON.stringify(said));
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());
beforeEach(() => void received.splice(0));

const screeningWith = (decided: ScreeningReports['decided'] = async () => 'recorded') => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const given = { reports: { decided }, newId: sequentialIds(1).uuid, now: () => testStart };
  return httpScreening({ url, secret }, given);
};
const asked = () => ({ signal: AbortSignal.timeout(patienceMs) });
const ada = activeCustomer({ fullName: 'Ada Lovelace' });

describe('a screening that is a service', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
    ['PENDING', 'PENDING'],
    ['IN_PROGRESS', undefined],
  ])('finds a customer %s', async (finding, found) => {
    said = { finding };
    expect(await screeningWith().customer(screenedCustomer(ada), asked())).toBe(found);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({
      type: 'customer.screen',
      verificationId,
      customer: { customerId: ada.customerId, fullName: 'Ada Lovelace' },
    });
  });

  it('finds an owner', async () => {
    said = { finding: 'REJECTED' };
    expect(await screeningWith().owner(screenedOwner('Mallory'), asked())).toBe('REJECTED');
  });

  it('has said nothing where it says anything else', async () => {
    said = { finding: 'FINE' };
    await expect(screeningWith().customer(screenedCustomer(ada), asked())).rejects.toThrow();
  });
});

describe('what a screening posts', () => {
  const decided = { type: 'verification.decided', verificationId, verdict: 'APPROVED' };
  const post = (
    event: unknown,
    sentAt = testStart,
    answer: 'recorded' | 'unchanged' | 'unknown' = 'recorded',
  ) => {
    const body = Buffer.from(JSON.stringify(event));
    const headers = signedHeaders(secret, { id: 'msg-1', sentAt }, body);
    return screeningWith(async () => answer).receive?.({ headers, body });
  };

  it.each([
    ['recorded', 200],
    ['unchanged', 200],
    ['unknown', 404],
  ] as const)('is %s', async (answer, status) => {
    expect(await post(decided, testStart, answer)).toBe(status);
  });

  it('is refused when it is old, or says nothing that is known', async () => {
    expect(await post(decided, msLater(-301_000))).toBe(401);
    expect(await post({ ...decided, verdict: 'PENDING' })).toBe(400);
    expect(await post('APPROVED')).toBe(400);
  });
});

describe('a screening that has to answer in time', () => {
  const failures: unknown[] = [];
  const never = {
    customer: () => new Promise<never>(() => undefined),
    owner: () => Promise.reject(new Error('away')),
  };
  const bounded = boundedScreening(never, (error) => failures.push(error), 5);

  it('is refused where it does not', async () => {
    const code = 'SERVICE_UNAVAILABLE';
    await expect(bounded.customer(screenedCustomer(ada))).rejects.toMatchObject({ code });
    await expect(bounded.owner(screenedOwner('Lovelace'))).rejects.toMatchObject({ code });
    expect(failures).toHaveLength(2);
  });

  it.each([null, 'IN_PROGRESS', 'approved', {}])(
    'is refused where it says %j, which is no finding',
    async (said) => {
      const code = 'SERVICE_UNAVAILABLE';
      const say = async () => said as Finding;
      const told: unknown[] = [];
      const wrong = boundedScreening({ customer: say, owner: say }, (error) => told.push(error));
      await expect(wrong.customer(screenedCustomer(ada))).rejects.toMatchObject({ code });
      await expect(wrong.owner(screenedOwner('Lovelace'))).rejects.toMatchObject({ code });
      expect(told).toHaveLength(2);
    },
  );

  it('is not asked about what lacks something', async () => {
    expect(await bounded.customer(screenedCustomer(ada, { isComplete: false }))).toBeUndefined();
  });
});
