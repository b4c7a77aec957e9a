import { z } from 'zod';
import { addressSchema } from '../values/address.ts';
import { countryCode, email, telephone, text } from '../values/text.ts';

const personName = text(1, 255);

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
    email: email.optional(),
    phoneNumber: telephone.optional(),
    countryOfIssuance: countryCode.optional(),
  })
  .meta({ id: 'PersonalInfo' });
export type PersonalInfo = z.output<typeof personalInfoSchema>;
