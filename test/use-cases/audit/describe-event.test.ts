import { expect, it } from 'vitest';
import { describeEvent } from '../../../src/use-cases/audit/describe-event.ts';
import { agentChanged } from '../../support/builders/agents.ts';

it.each([
  [{ name: 'Clerk' }, 'The agent got another name.'],
  [{ isPaused: true }, 'The agent was paused.'],
  [{ isPaused: false }, 'The agent was resumed.'],
  // As they were written whatever had changed.
  [{ name: 'Clerk', isPaused: true }, 'The agent was renamed, or paused, or both.'],
  [{ name: 'Clerk', isPaused: false }, 'The agent was renamed, or resumed, or both.'],
])('a change of an agent is told as what has changed: %j', (changes, says) => {
  expect(describeEvent(agentChanged(changes))).toBe(says);
});
