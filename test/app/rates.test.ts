import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { loadRates } from '../../src/app/parts/rates.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';

const production = { DAYBOOK_ENVIRONMENT: 'production' };
const own = { DAYBOOK_RATES_FILE: join(import.meta.dirname, '../../rates/2026-11-01.json') };

/** What a start with these variables warns of. */
async function warnings(variables: Record<string, string>): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  const log = createLog('silent');
  log.warn = (...args: readonly unknown[]) => void said.push(args);
  await loadRates(readConfig(variables), { log, now: () => new Date() });
  return said;
}

describe('the rates that come with the service', () => {
  it('are told of in production, with the day that they are of', async () => {
    expect(await warnings(production)).toEqual([[{ date: '2026-11-01' }, expect.stringMatching(/rates/)]]);
  });

  it.each([{}, { ...production, ...own }])('are not, where they do not price: %j', async (variables) => {
    expect(await warnings(variables)).toEqual([]);
  });
});
