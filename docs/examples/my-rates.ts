/** Rates as a module: the project's own table, made anew at each reading. Start with DAYBOOK_RATES=./docs/examples/my-rates.ts. */
import { readFile } from 'node:fs/promises';
import { defineRates } from '../../src/domain/ports/rates-source.ts';

export default defineRates(({ now }) => ({
  async read() {
    const table = JSON.parse(await readFile(new URL('../../rates/2026-11-01.json', import.meta.url), 'utf8'));
    return { ...table, updatedAt: now().toISOString() };
  },
}));
