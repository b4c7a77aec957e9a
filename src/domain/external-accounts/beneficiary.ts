import { z } from 'zod';
import { addressSchema } from '../values/address.ts';
import { bounds } from '../values/bounds.ts';
import { countryCode, email, telephone, text } from '../values/text.ts';

/** What single account types ask for on top: accepted everywhere, demanded nowhere. */
const extras = {
  email: email.optional(),
  phoneNumber: telephone.optional(),
  countryOfResidence: countryCode.optional(),
  address: addressSchema.optional(),
  registrationNumber: text(1, bounds.line).optional(),
  documentType: z
    .enum(['CC', 'CE', 'TI', 'NIT', 'PP'])
    .optional()
    .meta({ description: 'COP accounts only.' }),
  documentNumber: text(1, 50).optional().meta({ description: 'COP accounts only.' }),
};

const individual = z
  .object({
    beneficiaryType: z.literal('INDIVIDUAL'),
    fullName: text(1, bounds.line),
    birthDate: z.iso.date().optional(),
    nationality: countryCode.optional(),
    ...extras,
  })
  .meta({ id: 'IndividualBeneficiary' });

const business = z
  .object({
    beneficiaryType: z.literal('BUSINESS'),
    legalName: text(1, bounds.line),
    taxId: text(1, bounds.line).optional(),
    ...extras,
  })
  .meta({ id: 'BusinessBeneficiary' });

/** Who owns the account. */
export const beneficiarySchema = z
  .discriminatedUnion('beneficiaryType', [individual, business])
  .meta({ id: 'Beneficiary' });

export type Beneficiary = z.output<typeof beneficiarySchema>;
