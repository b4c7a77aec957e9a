/** What an operator is told of a rail that says what cannot be: by metrics, and by the log. */
import { describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import type { RailReports } from '../../src/domain/ports/rail-module.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { customerWith, registerUsd, transferOut } from '../support/resources/payments.ts';

let reports: RailReports;
const paymentIds: string[] = [];
/** Takes everything, and knows nothing of it afterwards. */
const forgetful: PaymentRail = {
  async submit({ paymentId }) {
    paymentIds.push(paymentId);
    return { status: 'accepted', reference: 'T-1', underway: true };
  },
  statusOf: async () => ({ status: 'unknown' }),
  withdraw: async () => ({ status: 'unknown' }),
  receiverAt: () => undefined,
  checkName: async () => undefined,
};
const lines: string[] = [];
const service = serviceOfTests({
  log: createLog('error', { write: (line) => void lines.push(line) }),
  rail: async (own) => {
    reports = own;
    return forgetful;
  },
});
const { client } = service;

/** A payment that the rail has taken: its id there, and in the books. */
async function taken() {
  const { customer, account } = await customerWith(client);
  const payee = await registerUsd(client, customer.id);
  const { id } = expectStatus(await transferOut(client, account.id, payee.id, 100), 201);
  await expect.poll(() => paymentIds.length).toBe(1);
  return { id: String(id), paymentId: paymentIds.pop() ?? '' };
}

const told = (message: string) =>
  lines.flatMap((line) => {
    const { msg, transactionId } = JSON.parse(line);
    return msg === message ? [transactionId] : [];
  });

describe('a rail that says what cannot be', () => {
  it('is counted by what it says, and told with the payment', async () => {
    const lost = await taken();
    await reports.news(lost.paymentId);
    const other = await taken();
    expect(await reports.ended(other.paymentId, { status: 'settled' })).toBe('recorded');
    const failed = { status: 'rejected', reason: 'OFFRAMP_FAILED' } as const;
    for (let n = 0; n < 2; n++) expect(await reports.ended(other.paymentId, failed)).toBe('contradicted');
    expect(told('the rail took a payment that it does not know any more')).toEqual([lost.id]);
    expect(told('the rail says that a payment has ended otherwise than it has')).toEqual([
      other.id,
      other.id,
    ]);
    const text = await (await fetch(`${service.url.slice(0, -basePath.length)}/metrics`)).text();
    expect(text).toContain('\ndaybook_rail_lost_payments_total 1\n');
    expect(text).toContain('\ndaybook_rail_contradictions_total 2\n');
  });
});
