import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rates } from '../domain/money/rates.ts';
import { parseRatesFile } from '../domain/money/rates-file.ts';

/** The table that comes with the service. */
const ownTable = join(import.meta.dirname, '../../rates/2026-11-01.json');

/** Reads the rates and fees: the service's own table, or the file that replaces it. Throws when the file is not valid. */
export async function loadRates(file: string | undefined): Promise<Rates> {
  const table = parseRatesFile(await readFile(file ?? ownTable, 'utf8'));
  return { table, updatedAt: new Date(`${table.date}T00:00:00.000Z`) };
}
