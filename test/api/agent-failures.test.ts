/** An action that was approved and comes to nothing says why, wherever it is shown. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  approvalRequired,
  approve,
  executeAs,
  newQuoteAs,
  payOut,
  type Staffed,
  staffed,
} from '../support/resources/agents.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { registerUsd } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

type Asked = { readonly one: Staffed; readonly action: Json };

const asked = async (amount?: number): Promise<Asked> => {
  const one = await staffed(client, approvalRequired, amount);
  return { one, action: expectStatus(await payOut(one, 5_000), 201) };
};

const change = async ({ one }: Asked, path: string, changes: Json) =>
  expectStatus(await client.patch(`/agents/${one.agent.id}${path}`, changes), 200);

/** What has come in between, and what the approval fails by. */
const causes: [string, string, () => Promise<Asked>][] = [
  ['that there is no money', 'INSUFFICIENT_BALANCE', () => asked(0)],
  [
    'a limit that is lower now',
    'FORBIDDEN',
    async () => {
      const it = await asked();
      await change(it, '/policy', { spendingLimits: { perTransactionLimit: 4_999 } });
      return it;
    },
  ],
  [
    'the pause of the agent',
    'FORBIDDEN',
    async () => {
      const it = await asked();
      await change(it, '', { isPaused: true });
      return it;
    },
  ],
  [
    'the end of the account that is paid',
    'REFERENCE_NOT_FOUND',
    async () => {
      const it = await asked();
      expect((await client.delete(`/customers/external-accounts/${it.one.bank.id}`)).status).toBe(204);
      return it;
    },
  ],
  [
    'another execution of the quote',
    'CONFLICT',
    async () => {
      const one = await staffed(client, approvalRequired);
      const quote = await newQuoteAs(one);
      const action = expectStatus(await executeAs(one, quote), 200);
      expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
      return { one, action };
    },
  ],
  [
    'the end of the quote',
    'QUOTE_EXPIRED',
    async () => {
      const one = await staffed(client, approvalRequired);
      const action = expectStatus(await executeAs(one, await newQuoteAs(one)), 200);
      clock.advance(300_001);
      return { one, action };
    },
  ],
];

describe('an action that fails at its approval', () => {
  it.each(causes)('says that the cause is %s', async (_cause, code, arrange) => {
    const { one, action } = await arrange();
    expect(action).not.toHaveProperty('failure');
    const failed = expectStatus(await approve(client, action), 200);
    expect(failed).toMatchObject({ status: 'FAILED', failure: { code, message: expect.any(String) } });

    const agentId = one.agent.id;
    const [decided] = expectStatus(await client.get('/agents/decisions', { agentId }), 200).data;
    const [listed] = expectStatus(await one.me.get('/agents/me/actions'), 200).data;
    const own = expectStatus(await one.me.get(`/agents/me/actions/${action.id}`), 200);
    for (const shown of [decided, listed, own]) expect(shown.failure).toEqual(failed.failure);
  });

  it('leaves that to the transaction where there is one', async () => {
    const one = await staffed(client, approvalRequired);
    const bank = await registerUsd(client, one.customer.id, '003');
    const action = expectStatus(await payOut({ ...one, bank }, 5_000), 201);
    const failed = expectStatus(await approve(client, action), 200);
    expect(failed).toMatchObject({ status: 'FAILED', transaction: { failureReason: 'OFFRAMP_FAILED' } });
    expect(failed).not.toHaveProperty('failure');
  });

  it('has no cause where it was approved and has begun', async () => {
    const { action } = await asked();
    const approved = expectStatus(await approve(client, action), 200);
    expect(approved.status).toBe('APPROVED');
    expect(approved).not.toHaveProperty('failure');
  });
});
