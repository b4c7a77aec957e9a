import { describe, expect, it } from 'vitest';
import { collectRows } from '../../../projections/projector/rows.ts';

const collected = () => collectRows(() => Promise.reject(new Error('nothing is read in between')));
const id = 'Transaction:1' as never;
const begun = { id, reference: 'r', status: 'PENDING', pending_reason: null } as const;
const ended = { ...begun, status: 'COMPLETED' } as const;
const changed = ['status', 'pending_reason'] as const;

describe('rows of a batch', () => {
  it('are written whole where they may be new', () => {
    const { rows, take } = collected();
    rows.put('transactions', begun);
    expect(take()).toEqual([{ kind: 'put', table: 'transactions', rows: [begun] }]);
  });

  it('are changed where they are there: in what has changed', () => {
    const { rows, take } = collected();
    rows.put('transactions', { ...begun, status: 'PROCESSING' }, changed);
    rows.put('transactions', ended, changed);
    const row = { id, status: 'COMPLETED', pending_reason: null };
    expect(take()).toEqual([{ kind: 'change', table: 'transactions', rows: [row] }]);
  });

  it.each([
    ['begins and goes on', [begun, ended] as const, [undefined, changed] as const],
    ['goes on and is written anew', [begun, ended] as const, [changed, undefined] as const],
  ])('are written once and whole for one that %s', (_what, states, lists) => {
    const { rows, take } = collected();
    for (const [n, state] of states.entries()) rows.put('transactions', state, lists[n]);
    expect(take()).toEqual([{ kind: 'put', table: 'transactions', rows: [ended] }]);
  });

  it('are written whole where they were removed before', () => {
    const { rows, take } = collected();
    rows.remove('transactions', { id });
    rows.put('transactions', ended, changed);
    expect(take()).toEqual([{ kind: 'put', table: 'transactions', rows: [ended] }]);
  });
});
