import { z } from 'zod';
import { addressSchema } from '../values/address.ts';
import { countryCode, text } from '../values/text.ts';

const personName = text(1, 255);

/** Completion 13.1; the kinds of identifier are those of completion 2. */
export const personalInfoSchema = z
  .object({
    firstName: personName,
    middleName: personName.optional(),
    lastName: personName,
    birthDate: z.iso.date(),
    nationality: countryCode,
    address: addressSchema,
    idType: z.enum(['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID']),
    identifier: text(1, 255),
    email: z.email().max(255).optional(),
    phoneNumber: z
      .string()
      .regex(/^\+[1-9]\d{1,14}$/)
      .optional(),
    countryOfIssuance: countryCode.optional(),
  })
  .meta({ id: 'PersonalInfo' });
export type PersonalInfo = z.output<typeof personalInfoSchema>;
