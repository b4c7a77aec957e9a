import { describe, expect, it } from 'vitest';
import { ActionIndex } from '../../../src/domain/agents/actions/action-index.ts';
import { actionId, otherActionId } from '../../support/builders/agents.ts';

const empty = ActionIndex.empty<string>();
const first = empty.with(actionId, 'asked');
const second = first.with(actionId, 'done');

describe('an index of actions', () => {
  it('has what was put into it last', () => {
    expect(second.get(actionId)).toBe('done');
    expect(second.get(otherActionId)).toBeUndefined();
  });

  it('leaves the versions before as they were', () => {
    expect([empty, first].map((index) => index.get(actionId))).toEqual([undefined, 'asked']);
    expect(empty.all()).toEqual([]);
    expect(first.all()).toEqual([[actionId, 'asked']]);
  });

  it('goes two ways from one version', () => {
    const other = first.with(otherActionId, 'other').with(actionId, 'failed');
    expect(second.with(otherActionId, 'late').all()).toEqual([
      [actionId, 'done'],
      [otherActionId, 'late'],
    ]);
    expect(other.all()).toEqual([
      [actionId, 'failed'],
      [otherActionId, 'other'],
    ]);
    expect(first.get(otherActionId)).toBeUndefined();
  });
});
