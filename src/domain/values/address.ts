import { z } from 'zod';
import { bounds } from './bounds.ts';
import { countryCode, text } from './text.ts';

/** A postal address. */
export const addressSchema = z
  .object({
    line1: text(1, bounds.line),
    line2: text(0, bounds.line).optional(),
    city: text(0, bounds.line).optional(),
    state: text(0, bounds.line).optional(),
    postalCode: text(1, 32),
    country: countryCode,
  })
  .meta({ id: 'Address' });

type Address = z.output<typeof addressSchema>;

/** The whole of an address in one line, without what is not said. */
export const lineOf = ({ line1, line2, city, state, postalCode, country }: Address): string =>
  [line1, line2, city, state, postalCode, country].filter((part) => part?.trim()).join(', ');
