import { invariant } from '../../../kernel/invariant.ts';
import type { AgentEvent, Operation } from '../events.ts';
import type { AgentAction, KeptOperation } from '../state.ts';

type ActionEvent = Extract<
  AgentEvent,
  {
    type: 'AgentActionRequested' | 'AgentActionStarted' | 'AgentActionFailed' | 'AgentActionRejected';
  }
>;

export function evolveAction(
  action: AgentAction | undefined,
  event: ActionEvent,
  restatements: number,
): AgentAction {
  const { at } = event.data;
  switch (event.type) {
    case 'AgentActionRequested': {
      const operation = kept(event.data.operation);
      return { status: 'PENDING_APPROVAL', operation, createdAt: at, updatedAt: at };
    }
    case 'AgentActionStarted': {
      const { spend, usage } = event.data;
      const operation = kept(event.data.operation);
      const counted = { spend, on: usage.day, restatements };
      const decided = decision(action, event);
      return {
        status: 'APPROVED',
        operation,
        counted,
        ...decided,
        createdAt: action?.createdAt ?? at,
        updatedAt: at,
      };
    }
    case 'AgentActionFailed':
      invariant(action, 'failed before it was there');
      return {
        ...action,
        status: 'FAILED',
        problem: event.data.problem,
        ...decision(action, event),
        updatedAt: at,
      };
    case 'AgentActionRejected': {
      invariant(action, 'rejected before it was there');
      const { rejectionReason } = event.data;
      return { ...action, status: 'REJECTED', rejectionReason, ...decision(action, event), updatedAt: at };
    }
  }
}

function kept(operation: Operation): KeptOperation {
  if (operation.type !== 'EXECUTE_QUOTE' || !operation.creates) return operation;
  const { creates: _quote, ...execution } = operation;
  return { ...execution, createsQuote: true };
}

/** Whoever ends the waiting has decided, unless nobody has. */
const decision = (
  action: AgentAction | undefined,
  { data: { at, ...data } }: ActionEvent,
): Pick<AgentAction, 'decidedAt' | 'decidedBy'> => {
  if (action?.status !== 'PENDING_APPROVAL' || ('undecided' in data && data.undecided)) return {};
  return { decidedAt: at, decidedBy: 'decidedBy' in data ? data.decidedBy : undefined };
};
