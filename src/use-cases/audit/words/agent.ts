import { amountOf } from '../../../domain/agents/actions/operation.ts';
import type { agentEvents, Operation } from '../../../domain/agents/events.ts';
import { inWords } from '../../../domain/money/in-words.ts';
import type { WordsFor } from './words.ts';

/** What happened to an agent, and to what it asked for. */
export const agentWords: WordsFor<typeof agentEvents> = {
  AgentCreated: ({ customerId }) => `An agent was created for ${customerId}.`,
  AgentChanged: ({ name, isPaused }) => {
    if (isPaused === undefined) return 'The agent got another name.';
    const going = isPaused ? 'paused' : 'resumed';
    return name === undefined ? `The agent was ${going}.` : `The agent was renamed, or ${going}, or both.`;
  },
  AgentPolicyChanged: () => "The agent's policy was changed.",
  DeviceCodeIssued: ({ expiresAt }) => `A device code was issued, good until ${expiresAt.toISOString()}.`,
  AgentConnected: () => 'The device code was redeemed: the agent has an access token.',
  AgentDeleted: () => 'The agent was deleted.',
  AgentActionRequested: ({ actionId, operation }) =>
    `${actionId} asks for ${wanted(operation)}, which needs approval.`,
  AgentActionStarted: ({ actionId, operation, decidedBy }) =>
    `${actionId}, ${wanted(operation)}, was ${decidedBy ? 'approved' : 'allowed by the policy'}.`,
  AgentActionFailed: ({ actionId, problem }) =>
    `${actionId} came to nothing${problem ? `: ${problem.code}` : ''}.`,
  AgentActionRejected: ({ actionId }) => `${actionId} was rejected.`,
};

const kinds = {
  EXECUTE_QUOTE: 'the execution of a quote',
  TRANSFER_OUT: 'a transfer out',
  TRANSFER_IN: 'a transfer in',
};
const wanted = (operation: Operation) => `${kinds[operation.type]} of ${inWords(amountOf(operation))}`;
