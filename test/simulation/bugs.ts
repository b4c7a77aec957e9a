/** Mistakes that a service like this one could have, planted where the parts of a process are put together. */
import type { aggregates, Instruction, Reaction } from '../../src/domain/aggregates.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { StoreAway } from '../../src/infrastructure/away.ts';
import { type EventStore, WrongRevision } from '../../src/infrastructure/event-store/event-store.ts';
import { KeyedHistory } from '../../src/kernel/keyed-history.ts';
import { payeePlatformId } from '../support/builders/identities.ts';

export type Parts = {
  readonly store: EventStore;
  readonly rail: PaymentRail;
  readonly aggregates: typeof aggregates;
  readonly reactions: readonly Reaction[];
};

export type Bug = {
  /** The parts of each process that starts. */
  readonly plant?: (parts: Parts) => Parts;
  /** What a client asks for at its so many-th try. */
  readonly retry?: (instruction: Instruction, tries: number) => Instruction;
};

type Account = Parts['aggregates']['account'];
type Payments = Parts['aggregates']['transaction'];

/** The log is appended to in another way. */
const appending = (parts: Parts, appendTo: (store: EventStore) => EventStore['append']): Parts => ({
  ...parts,
  store: { ...parts.store, append: appendTo(parts.store) },
});

const decidingOnAccounts = (parts: Parts, decide: Account['decider']['decide']): Parts => {
  const decider = { ...parts.aggregates.account.decider, decide };
  const account = { ...parts.aggregates.account, decider };
  return { ...parts, aggregates: { ...parts.aggregates, account } };
};
const decidingOnPayments = (parts: Parts, decide: Payments['decider']['decide']): Parts => {
  const decider = { ...parts.aggregates.transaction.decider, decide };
  const transaction = { ...parts.aggregates.transaction, decider };
  return { ...parts, aggregates: { ...parts.aggregates, transaction } };
};
const following = (parts: Parts, change: (made: Instruction) => readonly Instruction[]): Parts => {
  const reactions = parts.reactions.map(
    (reaction): Reaction =>
      (event) =>
        (reaction(event) as readonly Instruction[]).flatMap(change),
  );
  return { ...parts, reactions };
};

const endOfTime = new Date(8.64e15);

/** The same credit under another name. */
const renamed = (instruction: Instruction, suffix: string): Instruction => {
  if (instruction.to !== 'account' || instruction.command.type !== 'CreditAccount') return instruction;
  const entryId = `${instruction.command.entryId}${suffix}`;
  return { ...instruction, command: { ...instruction.command, entryId } };
};

const isRefund = ({ to, command }: Instruction) =>
  to === 'account' && command.type === 'CreditAccount' && command.purpose === 'refund';

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
      const { agent } = parts.aggregates;
      const { decide, evolve, initial } = agent.decider;
      const decider: typeof agent.decider = {
        initial,
        evolve,
        decide(command, state) {
          if (!('usage' in state) || !('policy' in state)) return decide(command, state);
          const { spendingLimits: limits } = state.policy;
          const spendingLimits = { ...limits, dailyLimit: limits.monthlyLimit };
          return decide(command, { ...state, policy: { ...state.policy, spendingLimits } });
        },
      };
      return { ...parts, aggregates: { ...parts.aggregates, agent: { ...agent, decider } } };
    },
  },
} as const satisfies Readonly<Record<string, Bug>>;

export type BugName = keyof typeof bugs;
