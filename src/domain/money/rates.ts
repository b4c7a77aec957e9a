import type { RatesTable } from './rates-file.ts';

/** The rates that hold, and since when. */
export type Rates = { readonly table: RatesTable; readonly updatedAt: Date };
