import { z } from 'zod';
import { countryCode, text } from './text.ts';

/** A postal address. */
export const addressSchema = z
  .object({
    line1: text(1, 255),
    line2: text(0, 255).optional(),
    city: text(0, 255).optional(),
    state: text(0, 255).optional(),
    postalCode: text(1, 32),
    country: countryCode,
  })
  .meta({ id: 'Address' });
