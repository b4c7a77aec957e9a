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
