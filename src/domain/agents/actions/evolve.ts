import { invariant } from '../../../kernel/invariant.ts';
import type { AgentEvent } from '../events.ts';
import type { AgentAction } from '../state.ts';

type ActionEvent = Extract<
  AgentEvent,
  {
    type: 'AgentActionRequested' | 'AgentActionStarted' | 'AgentActionFailed' | 'AgentActionRejected';
  }
>;

export function evolveAction(action: AgentAction | undefined, event: ActionEvent): AgentAction {
  const { at } = event.data;
  switch (event.type) {
    case 'AgentActionRequested':
      return { status: 'PENDING_APPROVAL', operation: event.data.operation, createdAt: at, updatedAt: at };
    case 'AgentActionStarted': {
      const { operation, spend, usage } = event.data;
      const counted = { spend, on: usage.day };
      return { status: 'APPROVED', operation, counted, createdAt: action?.createdAt ?? at, updatedAt: at };
    }
    case 'AgentActionFailed':
      invariant(action, 'failed before it was there');
      return { ...action, status: 'FAILED', problem: event.data.problem, updatedAt: at };
    case 'AgentActionRejected': {
      invariant(action, 'rejected before it was there');
      const { rejectionReason } = event.data;
      return { ...action, status: 'REJECTED', rejectionReason, updatedAt: at };
    }
  }
}
