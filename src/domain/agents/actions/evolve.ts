import { invariant } from '../../../kernel/invariant.ts';
import type { AgentEvent } from '../events.ts';
import type { AgentAction } from '../state.ts';

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
    case 'AgentActionRequested':
      return { status: 'PENDING_APPROVAL', operation: event.data.operation, createdAt: at, updatedAt: at };
    case 'AgentActionStarted': {
      const { operation, spend, usage } = event.data;
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

/** Whoever ends the waiting has decided. */
const decision = (
  action: AgentAction | undefined,
  { data: { at, ...data } }: ActionEvent,
): Pick<AgentAction, 'decidedAt' | 'decidedBy'> => {
  if (action?.status !== 'PENDING_APPROVAL') return {};
  return { decidedAt: at, decidedBy: 'decidedBy' in data ? data.decidedBy : undefined };
};
