import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { account } from '../../src/domain/accounts/account.ts';
import type { AccountEvent } from '../../src/domain/accounts/events.ts';
import { agent } from '../../src/domain/agents/agent.ts';
import { aggregates } from '../../src/domain/aggregates.ts';
import { customer } from '../../src/domain/customers/customer.ts';
import { platform } from '../../src/domain/platforms/platform.ts';
import { reservation } from '../../src/domain/reservations/reservation.ts';
import { wallet } from '../../src/domain/wallets/wallet.ts';
import { closingOf, contentOf } from '../../src/infrastructure/closings/text.ts';
import type { AnyAggregate } from '../../src/kernel/aggregate.ts';
import {
  accountCredited,
  accountDebited,
  accountOpened,
  accountPaid,
  arrival,
  changeStatus,
  creditHeld,
  debit,
  deposit,
  frozen,
  refund,
  unfreeze,
} from '../support/builders/accounts.ts';
import {
  actionFailed,
  actionRequested,
  actionStarted,
  agentAction,
  agentConnected,
  agentCreated,
  codeIssued,
  immediate,
  otherActionId,
} from '../support/builders/agents.ts';
import {
  configChanged,
  customerCreated,
  customerUpdated,
  platformCreated,
  webhookEndpointDisabled,
} from '../support/builders/customers.ts';
import { usd } from '../support/builders/money.ts';
import { nameReserved, reservationConfirmed } from '../support/builders/reservations.ts';
import { stateOf } from '../support/builders/spec.ts';
import {
  passkeyAdded,
  passkeyChallenged,
  signatureRequested,
  signedInTwice,
} from '../support/builders/wallets.ts';

const busyAccount = stateOf(
  account,
  accountOpened(),
  accountCredited({ entryId: 'first' }),
  accountDebited({ entryId: 'second', amount: usd(50_00n) }),
  creditHeld({ entryId: 'third' }),
  frozen(),
);
const busyAgent = stateOf(
  agent,
  agentCreated(),
  codeIssued(),
  agentConnected(),
  actionStarted(immediate()),
  actionFailed(),
  actionRequested(immediate(), { actionId: otherActionId }),
);
const busyWallet = stateOf(
  wallet,
  ...signedInTwice(),
  passkeyAdded(),
  passkeyChallenged(),
  signatureRequested('addCredential'),
);
const small = [
  [
    'platform',
    aggregates.platform,
    stateOf(
      platform,
      platformCreated(),
      configChanged({ strictIdempotency: true }),
      webhookEndpointDisabled(),
    ),
    'cb006a53dafff64f',
    2,
  ],
  [
    'customer',
    aggregates.customer,
    stateOf(customer, customerCreated(), customerUpdated()),
    'ce87154cf8c63976',
    1,
  ],
  [
    'reservation',
    aggregates.reservation,
    stateOf(reservation, nameReserved(), reservationConfirmed()),
    '8c453a114e5c586f',
    1,
  ],
] as const;
const place = { revision: 9, eventId: 'event', position: 9n, closed: undefined };
const close = ({ closing }: AnyAggregate, state: unknown) => {
  if (!closing) throw new Error('its books are not closed');
  return { rules: closing, ...closingOf(closing, { ...place, state }) };
};
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * A closing that was made by one version of the code is read by the next. Where one of these texts changes, `version` in
 * `src/domain/closings.ts` has to change with it: then the closings of the former version are not read any more.
 */
describe('what closings say of the same events', () => {
  it.each([
    ['account', aggregates.account, busyAccount, 'a254cb72066003bd', 2],
    ['wallet', aggregates.wallet, busyWallet, '6cf9c1d3c75e886b', 2],
    ['agent', aggregates.agent, busyAgent, '16ae3ceb248566bd', 3],
    ...small,
  ] as const)(
    'of a stream of the kind %s is as this version has always said it',
    (_of, aggregate, state, expected, version) => {
      const { rules, closing } = close(aggregate, state);
      expect([rules.version, digest(closing.state)]).toEqual([version, expected]);
    },
  );
});

describe('a closing', () => {
  it('leaves of an account all but its entries, which it names', () => {
    const { rules, closing, closed } = close(aggregates.account, busyAccount);
    const { state } = contentOf<typeof busyAccount>(rules, closing);
    if (state.status === 'none' || busyAccount.status === 'none') throw new Error('not open');
    expect({ ...state, entries: undefined }).toEqual({ ...busyAccount, entries: undefined });
    expect(closing.values.map(([key]) => key)).toEqual(['first', 'second', 'third:held', 'held-credit:1']);
    expect(['first', 'third:held', 'never'].map((key) => state.entries.isUnknown(key))).toEqual([
      true,
      true,
      false,
    ]);
    expect([state.entries.count, closed.count]).toEqual([4, 4]);
  });

  it('leaves of an agent what waits for approval as well', () => {
    const { rules, closing } = close(aggregates.agent, busyAgent);
    const { state } = contentOf<typeof busyAgent>(rules, closing);
    if (state.status === 'NONE' || busyAgent.status === 'NONE') throw new Error('not there');
    expect({ ...state, actions: undefined }).toEqual({ ...busyAgent, actions: undefined });
    expect(state.actions.all()).toEqual([[otherActionId, busyAgent.actions.get(otherActionId)]]);
    expect(closing.values).toHaveLength(2);
  });

  it('leaves of a wallet all but the challenges that were used', () => {
    const { rules, closing } = close(aggregates.wallet, busyWallet);
    const { state } = contentOf<typeof busyWallet>(rules, closing);
    expect({ ...state, usedChallenges: undefined }).toEqual({ ...busyWallet, usedChallenges: undefined });
    expect(closing.values).toEqual([['registered', 'true']]);
    expect(state.usedChallenges.isUnknown('registered')).toBe(true);
  });

  it.each(small)('of a %s leaves all', (_of, aggregate, state) => {
    const { rules, closing } = close(aggregate, state);
    expect(contentOf(rules, closing).state).toEqual(state);
  });

  it('of a stream without events is that', () => {
    const { rules, closing } = close(aggregates.account, account.initial);
    expect(contentOf(rules, closing).state).toEqual(account.initial);
  });
});

describe('what is looked up before a command is decided on', () => {
  const { keysOf } = aggregates.account.closing.history ?? {};
  it.each([
    [deposit({ entryId: 'e' }), ['e']],
    [{ ...deposit({ entryId: 'e' }), recordsRefusal: {} }, ['e', 'e:refused']],
    [{ ...deposit({ entryId: 'e' }), recordsRefusal: { decision: 'd' } }, ['e', 'e:refused', 'e:d:refused']],
    [arrival({ entryId: 'e' }), ['e', 'e:held', 'e:refused']],
    [refund({ entryId: 'e' }), ['e', 'e:held']],
    [debit({ entryId: 'e' }), ['e']],
    [debit({ entryId: 'e', agentAction }), ['e', `${agentAction.actionId}:refused`]],
    [{ type: 'FreezeAccount', reason: 'why', at: new Date() } as const, []],
  ])('is every entry that decides it: $type', (command, expected) =>
    expect(keysOf?.(command, stateOf(account, accountOpened()))).toEqual(expected),
  );

  it.each([debit({ entryId: 'e' }), unfreeze(), changeStatus('CLOSED')])(
    'is what the account holds, where it may be credited: $type',
    (command) => expect(keysOf?.(command, busyAccount)).toContain('held-credit:1'),
  );

  it('is, of an event, the credit that it may have been held as', () => {
    const asked = (event: AccountEvent) => keysOf?.(event, busyAccount);
    expect(asked(accountPaid({ entryId: 'e' }))).toEqual(['e:held']);
    expect(asked(accountPaid({ entryId: 'e', held: 1 }))).toEqual([]);
    expect(asked(accountCredited({ entryId: 'e' }))).toEqual([]);
  });
});
