/** What requests and answers say of a customer in the same words. */
import { z } from 'zod';
import { addressSchema } from '../../domain/values/address.ts';
import { countryCode, email, telephone } from '../../domain/values/text.ts';
import { idTypes } from '../../domain/verification/personal-info.ts';
import { name } from '../fields/texts.ts';

export const contact = {
  email: email.optional(),
  phoneNumber: telephone.optional(),
  address: addressSchema.optional(),
};

export const person = {
  fullName: name.optional(),
  birthDate: z.iso.date().optional(),
  nationality: countryCode.optional(),
  idType: z.enum(idTypes).optional(),
  countryOfIssuance: countryCode.optional(),
};
