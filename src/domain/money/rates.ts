import type { RatesTable } from './rates-file.ts';
export type Rates = { readonly table: RatesTable; readonly updatedAt: Date };
