/** Where mistakes are planted: each is a change of the parts of a process, as they are put together. */
import type { aggregates, Instruction, Reaction } from '../../src/domain/aggregates.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';

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
export const appending = (parts: Parts, appendTo: (store: EventStore) => EventStore['append']): Parts => ({
  ...parts,
  store: { ...parts.store, append: appendTo(parts.store) },
});

export const decidingOnAccounts = (parts: Parts, decide: Account['decider']['decide']): Parts => {
  const decider = { ...parts.aggregates.account.decider, decide };
  const account = { ...parts.aggregates.account, decider };
  return { ...parts, aggregates: { ...parts.aggregates, account } };
};
export const decidingOnPayments = (parts: Parts, decide: Payments['decider']['decide']): Parts => {
  const decider = { ...parts.aggregates.transaction.decider, decide };
  const transaction = { ...parts.aggregates.transaction, decider };
  return { ...parts, aggregates: { ...parts.aggregates, transaction } };
};
export const following = (parts: Parts, change: (made: Instruction) => readonly Instruction[]): Parts => {
  const reactions = parts.reactions.map(
    (reaction): Reaction =>
      (event) =>
        (reaction(event) as readonly Instruction[]).flatMap(change),
  );
  return { ...parts, reactions };
};

type Agents = Parts['aggregates']['agent'];

export const decidingOnAgents = (parts: Parts, decide: Agents['decider']['decide']): Parts => {
  const { agent } = parts.aggregates;
  const decider = { ...agent.decider, decide };
  return { ...parts, aggregates: { ...parts.aggregates, agent: { ...agent, decider } } };
};

/** Something is done with each event that what follows from events is made of. */
export const alsoFollowing = (parts: Parts, more: Reaction): Parts => ({
  ...parts,
  reactions: [...parts.reactions, more],
});

/** The same credit under another name. */
export const renamed = (instruction: Instruction, suffix: string): Instruction => {
  if (instruction.to !== 'account' || instruction.command.type !== 'CreditAccount') return instruction;
  const entryId = `${instruction.command.entryId}${suffix}`;
  return { ...instruction, command: { ...instruction.command, entryId } };
};
