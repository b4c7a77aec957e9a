import { z } from 'zod';
import { businessInfoSchema } from '../../domain/customers/business-info.ts';
import { addressSchema } from '../../domain/values/address.ts';
import { bounds } from '../../domain/values/bounds.ts';
import { countryCode } from '../../domain/values/text.ts';
import { currencyCode } from '../fields/amounts.ts';
import { customerType, kycStatus } from '../fields/enumerations.ts';
import { name, paymentAddress } from '../fields/texts.ts';
import { contact, person } from './fields.ts';

const identifier = name.optional();
const givenStatus = kycStatus.optional().meta({ description: 'Taken in the sandbox, ignored elsewhere.' });

/** What can be changed later, too. */
const changeable = {
  region: countryCode.optional(),
  currencies: z.array(currencyCode).min(1).max(bounds.currencies).optional(),
  umaAddress: paymentAddress.optional(),
  ...contact,
};
const given = { platformCustomerId: name.optional(), ...changeable };

export const createCustomerRequest = z
  .discriminatedUnion('customerType', [
    z
      .object({
        customerType: z.literal('INDIVIDUAL'),
        ...given,
        ...person,
        kycStatus: givenStatus,
        identifier,
      })
      .meta({ id: 'IndividualCreateRequest' }),
    z
      .object({
        customerType: z.literal('BUSINESS'),
        ...given,
        businessInfo: businessInfoSchema,
        kybStatus: givenStatus,
      })
      .meta({ id: 'BusinessCreateRequest' }),
  ])
  .meta({ id: 'CustomerCreateRequest' });

/** What is left out stays as it is; address and businessInfo are merged field by field. */
export const updateCustomerRequest = z
  .object({
    customerType: customerType.optional(),
    ...changeable,
    ...person,
    identifier,
    address: addressSchema.partial().optional(),
    businessInfo: businessInfoSchema.partial().optional(),
  })
  .meta({ id: 'CustomerUpdateRequest' });
