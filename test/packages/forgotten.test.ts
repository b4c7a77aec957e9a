import { expect, it } from 'vitest';
import { forgottenAfter } from '../../packages/testing/src/forgotten.ts';

it('a database is forgotten when nobody was connected to it at so many looks in a row', () => {
  const forgotten = forgottenAfter(3);
  const look = (...used: string[]) => forgotten(['run_1', 'run_2', 'run_3'], new Set(used));
  expect([look('run_1'), look('run_1', 'run_3')]).toEqual([[], []]);
  expect(look('run_1')).toEqual(['run_2']);
  expect(look('run_1')).toEqual(['run_2']);
  expect(look()).toEqual(['run_2', 'run_3']);
});

it('one that is made again under the same name is a new one', () => {
  const forgotten = forgottenAfter(2);
  forgotten(['run_1'], new Set());
  forgotten([], new Set());
  expect(forgotten(['run_1'], new Set())).toEqual([]);
});
