/** Mistakes that a service like this one could have, planted where the parts of a process are put together. */
import type { Instruction } from '../../src/domain/aggregates.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { StoreAway } from '../../src/infrastructure/away.ts';
import { type EventStore, WrongRevision } from '../../src/infrastructure/event-store/event-store.ts';
import { KeyedHistory } from '../../src/kernel/keyed-history.ts';
import { payeePlatformId } from '../support/builders/identities.ts';
import { newestAccounts, takenFor } from './memory-of-bugs.ts';
import {
  alsoFollowing,
  appending,
  type Bug,
  decidingOnAccounts,
  decidingOnAgents,
  decidingOnPayments,
  following,
  renamed,
} from './planting.ts';

const endOfTime = new Date(8.64e15);
const endless = 10n ** 15n;
/** Of all lives. */
let leaders = 0;

const isRefund = ({ to, command }: Instruction) =>
  to === 'account' && command.type === 'CreditAccount' && command.purpose === 'refund';

/** A stream is read again after some reads alone, and whoever came first when it is appended to is passed over. */
function remembering(store: EventStore): EventStore {
  const known = new Map<string, { events: ReturnType<EventStore['read']>; left: number }>();
  return {
    ...store,
    read(stream, ...asked) {
      const key = [stream, ...asked].join(' ');
      const old = known.get(key);
      if (old && old.left > 0) {
        old.left -= 1;
        return old.events;
      }
      const events = store.read(stream, ...asked);
      known.set(key, { events, left: 2 });
      events.catch(() => known.delete(key));
      return events;
    },
    async append(stream, expected, events) {
      try {
        return await store.append(stream, expected, events);
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        return store.append(stream, error.actual, events);
      }
    },
  };
}

export const bugs = {
  'a refund is applied twice': {
    plant: (parts) => following(parts, (made) => (isRefund(made) ? [made, renamed(made, ':again')] : [made])),
  },
  'a refund is never carried out': {
    plant: (parts) => following(parts, (made) => (isRefund(made) ? [] : [made])),
  },
  'a reaction names its entries anew each time that it runs': {
    plant: (parts) => {
      let runs = 0;
      return following(parts, (made) => {
        runs += 1;
        return [renamed(made, `:${runs}`)];
      });
    },
  },
  "a client's retry has another key": {
    retry: (instruction, tries) => (tries === 0 ? instruction : renamed(instruction, `:${tries}`)),
  },
  'an update is lost by read and write': {
    plant: (parts) =>
      appending(parts, (store) => async (stream, expected, events) => {
        try {
          return await store.append(stream, expected, events);
        } catch (error) {
          if (!(error instanceof WrongRevision)) throw error;
          return store.append(stream, error.actual, events);
        }
      }),
  },
  'an append is answered before it is kept': {
    plant: (parts) =>
      appending(parts, (store) => async (stream, expected, events) => {
        const keeping = store.append(stream, expected, events);
        const revision = (expected === 'none' ? -1 : expected) + events.length;
        keeping.catch(() => undefined);
        return { revision, position: await store.last() };
      }),
  },
  'a time-out of the log is taken for a success': {
    plant: (parts) =>
      appending(parts, (store) => async (stream, expected, events) => {
        try {
          return await store.append(stream, expected, events);
        } catch (error) {
          if (!(error instanceof StoreAway)) throw error;
          const revision = (expected === 'none' ? -1 : expected) + events.length;
          return { revision, position: await store.last() };
        }
      }),
  },
  'a rail that does not answer is taken to have refused': {
    plant: (parts) => {
      const { rail } = parts;
      const ending = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false } as const;
      const submit: PaymentRail['submit'] = (payment, options) =>
        rail.submit(payment, options).catch(() => ({ status: 'ended' as const, ending }));
      return { ...parts, rail: { ...rail, submit } };
    },
  },
  'a balance is not looked at before it is debited': {
    plant: (parts) => {
      const { decide } = parts.aggregates.account.decider;
      return decidingOnAccounts(parts, (command, state) => {
        if (state.status === 'none' || command.type !== 'DebitAccount') return decide(command, state);
        const rich = { ...state, balance: state.balance + command.amount.minor };
        return decide(command, rich);
      });
    },
  },
  'an entry is booked again where its command is repeated': {
    plant: (parts) => {
      const { decide } = parts.aggregates.account.decider;
      return decidingOnAccounts(parts, (command, state) => {
        if (state.status === 'none' || command.type !== 'CreditAccount') return decide(command, state);
        return decide(command, { ...state, entries: KeyedHistory.empty() });
      });
    },
  },
  'an execution that its expiry has overtaken is passed over': {
    plant: (parts) => {
      const { decide } = parts.aggregates.transaction.decider;
      return decidingOnPayments(parts, (command, state) =>
        command.type === 'StartProcessing' && state.status === 'EXPIRED' ? [] : decide(command, state),
      );
    },
  },
  'a payment is approved after its deadline': {
    plant: (parts) => {
      const { decide } = parts.aggregates.transaction.decider;
      return decidingOnPayments(parts, (command, state) => {
        if (state.stage === 'none' || command.type !== 'ApprovePayment') return decide(command, state);
        return decide(command, { ...state, approvalDueAt: endOfTime });
      });
    },
  },
  'the rail is asked under a new name each time': {
    plant: (parts) => {
      const { rail } = parts;
      let asked = 0;
      const submit: PaymentRail['submit'] = (payment, options) => {
        asked += 1;
        return rail.submit({ ...payment, paymentId: `${payment.paymentId}:${asked}` }, options);
      };
      return { ...parts, rail: { ...rail, submit } };
    },
  },
  'what follows from an event is recorded for another platform': {
    plant: (parts) => following(parts, (made) => [{ ...made, platformId: payeePlatformId }]),
  },
  'an agent is not held to its limits': {
    plant: (parts) => {
      const { decide } = parts.aggregates.agent.decider;
      return decidingOnAgents(parts, (command, state) => {
        if (!('usage' in state) || !('policy' in state)) return decide(command, state);
        const { spendingLimits: limits } = state.policy;
        const spendingLimits = { ...limits, dailyLimit: limits.monthlyLimit };
        return decide(command, { ...state, policy: { ...state.policy, spendingLimits } });
      });
    },
  },
  'a limit is held where money leaves, and not where it comes in': {
    plant: (parts) => {
      const { decide } = parts.aggregates.agent.decider;
      return decidingOnAgents(parts, (command, state) => {
        const isIn = 'operation' in command && command.operation.type === 'TRANSFER_IN';
        if (!isIn || !('usage' in state) || !('policy' in state)) return decide(command, state);
        const { currency } = state.policy.spendingLimits;
        const spendingLimits = { currency, perTransactionLimit: endless };
        return decide(command, { ...state, policy: { ...state.policy, spendingLimits } });
      });
    },
  },
  'what was taken for a payment is given back, and paid out as well': {
    plant: (parts) => {
      const taken = takenFor();
      return alsoFollowing(parts, (event) => {
        if (event.type === 'AccountDebited') taken.note(event.data);
        return event.type === 'TransactionCompleted' ? taken.givenBack(event.data.transactionId) : [];
      });
    },
  },
  'the payee is looked up anew when a payment is handed over': {
    plant: (parts) => {
      const newest = newestAccounts();
      const { rail } = parts;
      const submit: PaymentRail['submit'] = (payment, options) =>
        rail.submit({ ...payment, counterparty: newest.insteadOf(payment.counterparty) }, options);
      const noting = alsoFollowing(parts, (event) => {
        if (event.type === 'ExternalAccountCreated') newest.note(event.data);
        return [];
      });
      return { ...noting, rail: { ...rail, submit } };
    },
  },
  'two leaders of a reaction give its entries two names': {
    plant: (parts) => {
      leaders += 1;
      const suffix = `:${leaders}`;
      return following(parts, (made) => [renamed(made, suffix)]);
    },
  },
  'a state is decided on that was old': {
    plant: (parts) => ({ ...parts, store: remembering(parts.store) }),
  },
} as const satisfies Readonly<Record<string, Bug>>;

export type BugName = keyof typeof bugs;
