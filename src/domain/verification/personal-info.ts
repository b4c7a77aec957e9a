import { z } from 'zod';
import { addressSchema } from '../values/address.ts';
import { bounds } from '../values/bounds.ts';
import { countryCode, email, telephone, text } from '../values/text.ts';

/** What kind of number identifies a person. */
export const idTypes = ['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'] as const;

const personName = text(1, bounds.line);

export const personalInfoSchema = z
  .object({
    firstName: personName,
    middleName: personName.optional(),
    lastName: personName,
    birthDate: z.iso.date(),
    nationality: countryCode,
    address: addressSchema,
    idType: z.enum(idTypes),
    identifier: text(1, bounds.line),
    email: email.optional(),
    phoneNumber: telephone.optional(),
    countryOfIssuance: countryCode.optional(),
  })
  .meta({ id: 'PersonalInfo' });
export type PersonalInfo = z.output<typeof personalInfoSchema>;

/** What says who somebody is; the rest says how to reach them. */
const identifying = [
  'firstName',
  'middleName',
  'lastName',
  'birthDate',
  'nationality',
  'idType',
  'identifier',
  'countryOfIssuance',
] as const satisfies (keyof PersonalInfo)[];

export const isSamePerson = (one: PersonalInfo, other: PersonalInfo): boolean =>
  identifying.every((field) => one[field] === other[field]);
