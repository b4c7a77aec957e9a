import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { busy } from '../support/processes/order.ts';

it('knows the files that compute by the names that they have', () => {
  expect(busy.filter((name) => !existsSync(`test/${name}.int.test.ts`))).toEqual([]);
});
