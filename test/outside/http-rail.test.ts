import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Arrival, RailReports } from '../../src/domain/ports/rail-module.ts';
import { isSigned, signedHeaders } from '../../src/infrastructure/secrets/signed-message.ts';
import { httpRail } from '../../src/outside/http-rail.ts';
import { validAccountInfo } from '../support/builders/external-accounts.ts';
import { transactionId } from '../support/builders/identities.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { noReports, railContext, railSecret } from '../support/rails/rail-modules.ts';
import { msLater, testStart } from '../support/time/clock.ts';
import { patienceMs } from '../support/time/patience.ts';
import { sequentialIds } from '../support/values/ids.ts';

const asked = () => ({ signal: AbortSignal.timeout(patienceMs) });
const received: { headers: Record<string, string | undefined>; body: Buffer }[] = [];
let said: (response: ServerResponse) => void = (response) => void response.end('{}');
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
  received.push({ headers, body: Buffer.concat(chunks) });
  said(response);
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());
beforeEach(() => void received.splice(0));

const railWith = (reports: Partial<RailReports> = {}) => {
  const { log } = railContext({});
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, secret: railSecret };
  const given = { reports: { ...noReports, ...reports }, newId: sequentialIds(1).uuid, log };
  return httpRail(address, { ...given, now: () => testStart });
};
const says = (answer: unknown, status = 200) => {
  said = (response) => void response.writeHead(status).end(JSON.stringify(answer));
};

describe('a question to a rail that is a service', () => {
  it('is signed, names its kind, and has amounts that keep every digit', async () => {
    says({ status: 'accepted', reference: 'B-1', checkAt: msLater(5).toISOString() });
    const payment = railPayment({ amount: { minor: 9_223_372_036_854_775_807n, currency: 'EUR' } });
    const answer = await railWith().submit(payment, asked());
    expect(answer).toEqual({ status: 'accepted', reference: 'B-1', underway: true, checkAt: msLater(5) });
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
    expect(isSigned(railSecret, headers, body, testStart)).toBe(true);
    expect(JSON.parse(body.toString())).toMatchObject({
      type: 'payment.submit',
      payment: { paymentId: transactionId, amount: { minor: '9223372036854775807', currency: 'EUR' } },
    });
  });

  it.each([
    ['an ending', { status: 'rejected' }, { status: 'rejected', reason: 'OFFRAMP_FAILED' }],
    ['nothing', { status: 'unknown' }, { status: 'unknown' }],
  ])('about a payment may be answered with %s', async (_what, answer, status) => {
    says(answer);
    expect(await railWith().statusOf(railPayment(), asked())).toEqual(status);
  });

  it.each([
    ['another status', 500, { status: 'settled' }],
    ['another shape', 200, { status: 'paid' }],
    ['an acceptance without a reference', 200, { status: 'accepted' }],
    ['a moment before year 1', 200, { status: 'settled', checkAt: '0000-01-01T00:00:00Z' }],
    ['no JSON object', 200, 'settled'],
    ['more than is read', 200, { status: 'rejected', more: 'x'.repeat(1_048_576) }],
  ])('is in doubt after %s', async (_what, status, answer) => {
    says(answer, status);
    await expect(railWith().submit(railPayment(), asked())).rejects.toThrow();
  });

  it('follows nobody elsewhere', async () => {
    said = (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    await expect(railWith().submit(railPayment(), asked())).rejects.toThrow();
    expect(received).toHaveLength(1);
  });

  it('ends with its signal', async () => {
    said = () => undefined;
    const gone = new AbortController();
    const answer = railWith().statusOf(railPayment(), gone);
    gone.abort();
    await expect(answer).rejects.toThrow();
  });

  it('refuses an account that the rail says cannot exist', async () => {
    says({ status: 'INVALID' });
    const check = railWith().checkName(validAccountInfo('USD_ACCOUNT'), asked());
    await expect(check).rejects.toMatchObject({ code: 'INVALID_BANK_ACCOUNT' });
  });
});

describe('what a rail that is a service posts', () => {
  const ended = { type: 'payment.ended', paymentId: transactionId, ending: { status: 'settled' } };
  const signed = (event: unknown, sentAt = testStart, secret = railSecret) => {
    const body = Buffer.from(JSON.stringify(event));
    return { headers: signedHeaders(secret, { id: 'msg-1', sentAt }, body), body };
  };
  const post = (request: ReturnType<typeof signed>, reports: Partial<RailReports> = {}) =>
    railWith(reports).receive?.(request);

  it('is reported once it is known to be from there', async () => {
    const told: unknown[] = [];
    const record: RailReports['ended'] = async (...what) => {
      told.push(what);
      return 'recorded';
    };
    expect(await post(signed(ended), { ended: record })).toBe(200);
    expect(told).toEqual([[transactionId, { status: 'settled' }]]);
  });

  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const changed = { ...signed(ended), body: Buffer.from(JSON.stringify({ ...ended, paymentId: 'other' })) };
  it.each([
    ['too old', signed(ended, msLater(-301_000))],
    ['too early', signed(ended, msLater(301_000))],
    ['of another secret', signed(ended, testStart, other)],
    ['changed on the way', changed],
    ['without a signature', { headers: {}, body: signed(ended).body }],
    [
      'with an empty signature',
      { ...signed(ended), headers: { ...signed(ended).headers, 'webhook-signature': 'v1,' } },
    ],
  ])('is refused when it is %s', async (_what, request) => {
    expect(await post(request, { ended: () => Promise.reject(new Error('believed')) })).toBe(401);
  });

  const arrived = {
    type: 'money.arrived',
    bankReference: 'S-1',
    amount: { minor: '100', currency: 'EUR' },
    named: ['DB-AAAAAAAAAA'],
  };
  it.each([
    [{ ...arrived, decision: '' }],
    [{ ...arrived, decision: 'by Ada: yes' }],
    [{ ...arrived, decision: 'a'.repeat(65) }],
    [{ ...ended, type: 'payment.submit' }],
    [{ ...ended, ending: { status: 'paid' } }],
    [{ ...ended, ending: { status: 'settled', checkAt: '0000-01-01T00:00:00Z' } }],
    [{ type: 'money.arrived', bankReference: 'x', amount: { minor: '1.5', currency: 'EUR' }, named: [] }],
    [{ type: 'money.arrived', bankReference: 'x', amount: { minor: '0', currency: 'EUR' }, named: [] }],
    [{ type: 'money.arrived', bankReference: 'x', amount: { minor: '-5', currency: 'EUR' }, named: [] }],
    [{ type: 'money.arrived', bankReference: 'x', amount: { minor: '5', currency: 'XXX' }, named: [] }],
  ])('is refused when it says nothing that is known: %j', async (event) => {
    expect(await post(signed(event))).toBe(400);
  });

  it.each([
    ['unchanged', 200],
    ['unknown', 404],
    ['contradicted', 422],
  ] as const)('is answered by what it is to the books: %s', async (became, status) => {
    expect(await post(signed(ended), { ended: async () => became })).toBe(status);
  });

  it.each<[Arrival, number]>([
    [{ status: 'credited', transactionId }, 200],
    [{ status: 'known', transactionId }, 200],
    [{ status: 'unmatched' }, 404],
    [{ status: 'refused', code: 'CONFLICT', message: 'closed', stays: true }, 422],
    [{ status: 'refused', code: 'USER_NOT_READY', message: 'frozen', stays: false }, 503],
  ])('says what became of money: %j', async (arrival, status) => {
    expect(await post(signed(arrived), { arrived: async () => arrival })).toBe(status);
  });

  it.each([{}, { decision: 'again_1-A' }])(
    'is money that is refused for good where it is: %j',
    async (more) => {
      const told: unknown[] = [];
      const take: RailReports['arrived'] = async (money) => {
        told.push(money);
        return { status: 'unmatched' };
      };
      await post(signed({ ...arrived, ...more }), { arrived: take });
      const { bankReference, named } = arrived;
      const amount = { minor: 100n, currency: 'EUR' };
      expect(told).toMatchObject([{ bankReference, named, amount, refusalIsFinal: true, ...more }]);
      expect(told).not.toMatchObject([{ isOnStatement: true }]);
    },
  );
});
