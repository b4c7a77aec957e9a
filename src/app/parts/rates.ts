import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Rates } from '../../domain/money/rates.ts';
import { parseRatesFile, type RatesTable } from '../../domain/money/rates-file.ts';
import type { RatesSource } from '../../domain/ports/rates-source.ts';
import { type Log, logOfOutside } from '../../infrastructure/observe/log.ts';
import { type LiveRates, openLiveRates, ratesAt } from '../../outside/live-rates.ts';
import { connectModule } from '../../outside/module.ts';
import type { Config } from '../config.ts';
import type { Elsewhere } from '../outside-config.ts';
import { cannotStart, wordsOf } from '../start/cannot-start.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';

/** The table that comes with the service. */
const ownTable = join(import.meta.dirname, '../../../rates/2026-11-01.json');

export type OpenRates = { readonly rates: Rates; readonly live?: LiveRates };
type Deps = { readonly log: Log; readonly now: () => Date };

/**
 * Reads the rates and fees: the service's own table, the file that replaces it, or what an operator has connected. Throws
 * where there are none, or not valid ones.
 */
export async function loadRates(config: Config, { log, now }: Deps): Promise<OpenRates> {
  const { outside } = config;
  if (!outside.rates) {
    const table = await fixedTable(config, log);
    return { rates: { table, updatedAt: new Date(`${table.date}T00:00:00.000Z`) } };
  }
  const source = await sourceOf(outside.rates, { log, now });
  const { ratesAgeMaxMs: ageMaxMs, ratesJumpMaxPercent: jumpMaxPercent } = outside;
  const live = await openLiveRates(source, { now, ageMaxMs, jumpMaxPercent }).catch((cause: unknown) => {
    const tried = `no rates could be read: ${wordsOf(cause)}`;
    throw cannotStart({
      variable: 'DAYBOOK_RATES',
      tried,
      next: 'Start what answers there, or correct the variable',
      cause,
    });
  });
  return { rates: live, live };
}

/** The service's own is of a day that is past: real money is priced by it where the operator names no other. */
async function fixedTable({ ratesFile, environment }: Config, log: Log): Promise<RatesTable> {
  if (ratesFile !== undefined) return tableIn(ratesFile);
  const table = parseRatesFile(await readFile(ownTable, 'utf8'));
  if (environment === 'production')
    log.warn(
      { date: table.date },
      'production prices by the rates that come with Daybook; set DAYBOOK_RATES or DAYBOOK_RATES_FILE',
    );
  return table;
}

async function tableIn(path: string): Promise<RatesTable> {
  const variable = 'DAYBOOK_RATES_FILE';
  const told = (tried: string) => (cause: unknown) => {
    const next = 'Correct the file or the variable; unset, the rates are those that come with Daybook';
    throw cannotStart({ variable, tried: `${tried}: ${wordsOf(cause)}`, next, cause });
  };
  const text = await readFile(path, 'utf8').catch(told(`the rates file ${resolve(path)} cannot be read`));
  try {
    return parseRatesFile(text);
  } catch (cause) {
    return told(`the rates in ${resolve(path)} cannot be used`)(cause);
  }
}

const sourceOf = async (place: Elsewhere, { log, now }: Deps): Promise<RatesSource> => {
  if (place.kind === 'service') return ratesAt(place.url);
  const context = { now, log: logOfOutside(log, 'rates') };
  return connectModule({ variable: 'DAYBOOK_RATES', path: place.path }, context, ['read']);
};

/** Where they come from is no store of the service, whatever its network says. */
function unread(cause: unknown): never {
  throw new Error('the rates were not read', { cause });
}

/** Each process reads them for itself. */
export function refreshRates(live: LiveRates, { config, every, metrics }: Core, closers: Closer[]): void {
  metrics.showRatesAge(() => live.ageMs() / 1000);
  closers.push(every('rates', config.outside.ratesRefreshMs, () => live.refresh().catch(unread)));
}
