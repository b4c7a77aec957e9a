/** Where rates and fees come from, as a port. docs/how-to/replace-rates.md shows one. */
import type { Asked } from './payment-rail.ts';
import type { RailLog } from './rail-module.ts';

export type RatesSource = {
  /** The table as a rates file has it, parsed or not. Throws where there is none just now. */
  read(asked: Asked): Promise<unknown>;
};

export type RatesContext = { readonly now: () => Date; readonly log: RailLog };

export type CreateRatesSource = (context: RatesContext) => RatesSource | Promise<RatesSource>;

/** For `export default` of a module with rates: gives its types. */
export const defineRates = (create: CreateRatesSource): CreateRatesSource => create;
