import { describe, expect, it } from 'vitest';
import { agent } from '../../../src/domain/agents/agent.ts';
import type { PolicyChanges } from '../../../src/domain/agents/policy-changes.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import {
  actionId,
  actionRejected,
  actionRequested,
  actionStarted,
  agentChanged,
  agentConnected,
  agentCreated,
  agentDeleted,
  agentDetails,
  codeIssued,
  counted,
  deviceCode,
  deviceCodeId,
  laterCodeId,
  otherActionId,
  payout,
  policyChanged,
  policyOf,
  rates,
  tokenId,
} from '../../support/builders/agents.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(agent);
const at = testStart;
const created = [agentCreated(), codeIssued()] as const;

const create = () => ({ type: 'CreateAgent', details: agentDetails(), deviceCode, at }) as const;
const change = (changes: { name?: string; isPaused?: boolean }, mayPay = true) =>
  ({ type: 'ChangeAgent', ...changes, mayPay, at }) as const;
const changePolicy = (changes: PolicyChanges, mayPay = true) =>
  ({ type: 'ChangePolicy', changes, rates: { table: rates }, mayPay, at }) as const;
const later = { deviceCodeId: laterCodeId, expiresAt: deviceCode.expiresAt };
const issue = (mayPay = true) => ({ type: 'IssueDeviceCode', deviceCode: later, mayPay, at }) as const;
const redeem = (code = deviceCodeId, when = at) =>
  ({ type: 'RedeemDeviceCode', deviceCodeId: code, tokenId, at: when }) as const;
const remove = () => ({ type: 'DeleteAgent', by: 'token:one', at }) as const;
const submit = () => ({ type: 'SubmitAction', actionId, operation: payout(), rates, at }) as const;

const all = [change({ name: 'x' }), changePolicy({}), issue(), redeem(), remove(), submit()];

describe('an agent', () => {
  it('is created with its first device code', () =>
    given()
      .when(create())
      .then(...created));

  it('is created once', () =>
    given(...created)
      .when(create())
      .thenNothing());

  it('begins neither paused nor connected, and has spent nothing', () => {
    const state = stateOf(agent, ...created);
    expect(state).toMatchObject({ status: 'ACTIVE', isPaused: false, usage: { dailySpend: 0n } });
    expect(state).not.toHaveProperty('tokenId');
  });

  it.each(all)('refuses $type when it is not there', (command) =>
    given().when(command).thenRejected('REFERENCE_NOT_FOUND'),
  );

  it.each(all)('refuses $type when it is deleted', (command) =>
    given(...created, agentDeleted())
      .when(command)
      .thenRejected('REFERENCE_NOT_FOUND'),
  );

  it('is renamed', () =>
    given(...created)
      .when(change({ name: 'Clerk' }))
      .then(agentChanged({ name: 'Clerk' })));

  it('is paused and lets go on', () => {
    const paused = agentChanged({ isPaused: true });
    given(...created)
      .when(change({ isPaused: true }))
      .then(paused);
    given(...created, paused)
      .when(change({ isPaused: false }))
      .then(agentChanged({ isPaused: false }));
  });

  it('is renamed and paused at once', () =>
    given(...created)
      .when(change({ name: 'Clerk', isPaused: true }))
      .then(agentChanged({ name: 'Clerk' }), agentChanged({ isPaused: true })));

  it('that pays by itself is let go on by those who may pay alone, and paused and renamed by others as well', () => {
    const paused = agentChanged({ isPaused: true });
    given(...created, paused)
      .when(change({ isPaused: false }, false))
      .thenRejected('FORBIDDEN', { requiredPermission: 'TRANSACT' });
    given(...created, paused)
      .when(change({ name: 'Clerk', isPaused: true }, false))
      .then(agentChanged({ name: 'Clerk' }));
    given(...created)
      .when(change({ isPaused: true }, false))
      .then(paused);
    given(...created)
      .when(change({ name: 'Clerk', isPaused: false }, false))
      .then(agentChanged({ name: 'Clerk' }));
  });

  it('that asks for approval is let go on by those who may not pay as well', () => {
    const asking = policyChanged(completed(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' })));
    given(...created, asking, agentChanged({ isPaused: true }))
      .when(change({ isPaused: false }, false))
      .then(agentChanged({ isPaused: false }));
  });

  it.each([{ name: 'Bookkeeper' }, { isPaused: false }, { name: 'Bookkeeper', isPaused: false }])(
    'is not changed to what it is: %o',
    (changes) =>
      given(...created)
        .when(change(changes))
        .thenNothing(),
  );
});

describe('a policy', () => {
  it('is changed with an event that has the whole of it', () =>
    given(...created)
      .when(changePolicy({ spendingLimits: { dailyLimit: 5n } }))
      .then(policyChanged(completed(policyOf({ spendingLimits: { dailyLimit: 5n } })))));

  it('is not changed by nothing', () =>
    given(...created)
      .when(changePolicy({}))
      .thenNothing());

  it('is widened by those who may pay alone, and narrowed by others as well', () => {
    given(...created)
      .when(changePolicy({ spendingLimits: { perTransactionLimit: 1_000_01n } }, false))
      .thenRejected('FORBIDDEN', { requiredPermission: 'TRANSACT' });
    given(...created)
      .when(changePolicy({ spendingLimits: { dailyLimit: 5n } }, false))
      .then(policyChanged(completed(policyOf({ spendingLimits: { dailyLimit: 5n } }))));
  });

  it.each([{}, { currency: 'USD' }])('needs no rates for limits in the same currency: %j', (currency) => {
    const tooOld = {
      get table(): never {
        throw new Rejected('SERVICE_UNAVAILABLE', 'too old');
      },
    };
    const spendingLimits = { ...currency, dailyLimit: 1n };
    given(...created)
      .when({ ...changePolicy({ spendingLimits }), rates: tooOld })
      .then(policyChanged(completed(policyOf({ spendingLimits: { dailyLimit: 1n } }))));
  });

  it('keeps what was spent, restated in the new currency of the limits, rounded up', () => {
    const spent = [...created, actionStarted(payout(), { usage: counted(100_01n) })] as const;
    given(...spent)
      .when(changePolicy({ spendingLimits: { currency: 'EUR' } }))
      .then(policyChanged(completed(policyOf({ spendingLimits: { currency: 'EUR' } })), counted(90_92n)));
  });
});

/** With the members that a change writes though they are empty. */
const completed = (policy: ReturnType<typeof policyOf>) => ({
  accountRestrictions: undefined,
  approvalThresholds: undefined,
  ...policy,
  spendingLimits: {
    dailyLimit: undefined,
    dailyTransactionLimit: undefined,
    monthlyLimit: undefined,
    ...policy.spendingLimits,
  },
});

describe('a device code', () => {
  it('connects the agent that redeems it', () => {
    given(...created)
      .when(redeem())
      .then(agentConnected());
    expect(stateOf(agent, ...created, agentConnected())).toMatchObject({ tokenId });
  });

  it('is redeemed once', () =>
    given(...created, agentConnected())
      .when(redeem())
      .thenRejected('INVALID_INPUT', { reason: 'REDEEMED' }));

  it('is good until a day has passed', () => {
    const last = msLater(86_399_999);
    given(...created)
      .when(redeem(deviceCodeId, last))
      .then({ ...agentConnected(), data: { ...agentConnected().data, at: last } });
    given(...created)
      .when(redeem(deviceCodeId, deviceCode.expiresAt))
      .thenRejected('INVALID_INPUT', { reason: 'EXPIRED' });
  });

  it('is issued by those who may pay, where the agent can by itself', () => {
    given(...created)
      .when(issue(false))
      .thenRejected('FORBIDDEN', { requiredPermission: 'TRANSACT' });
    const asking = { ...created[0], data: { ...created[0].data, policy: policyOf({ permissions: [] }) } };
    given(asking, codeIssued()).when(issue(false)).then(codeIssued(later));
  });

  it('voids the one before', () => {
    const again = codeIssued(later);
    given(...created)
      .when(issue())
      .then(again);
    given(...created, again)
      .when(redeem())
      .thenRejected('INVALID_INPUT', { reason: 'VOIDED' });
  });

  it('is not issued to an agent that is connected', () =>
    given(...created, agentConnected())
      .when(issue())
      .thenRejected('CONFLICT'));
});

describe('deleting an agent', () => {
  it('rejects what waits for approval', () => {
    const started = actionStarted(payout(), { actionId: otherActionId });
    given(...created, actionRequested(), started)
      .when(remove())
      .then(agentDeleted(), actionRejected('The agent was deleted', 'token:one'));
  });

  it('lets what was begun come to its end', () =>
    given(...created, actionStarted(), agentDeleted())
      .when({ type: 'FailAction', actionId, at })
      .then({
        type: 'AgentActionFailed',
        data: {
          agentId: agentDetails().agentId,
          actionId,
          usage: counted(0n, { dailyTransactionCount: 0 }),
          at,
        },
      }));
});
