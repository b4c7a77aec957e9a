import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longest } from './longest-first.ts';

it('has files that are there to be tested first', () => {
  expect(longest.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
});
