import { z } from 'zod';
import { type EventOf, instant, personal } from '../infrastructure/codecs.ts';
import { idField } from '../infrastructure/ids.ts';

/** Service.md, Customer; `kybStatus` has the same values. */
export const kycStatuses = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED'] as const;
export type KycStatus = (typeof kycStatuses)[number];

const storedAddress = z.object({
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postalCode: z.string(),
  country: z.string(),
});

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const customerEvents = {
  CustomerCreated: z.object({
    platformId: idField('Platform'),
    customerId: idField('Customer'),
    platformCustomerId: z.string().min(1),
    customerType: z.enum(['INDIVIDUAL']),
    umaAddress: personal(z.string().min(1)),
    region: z.string().length(2),
    currencies: z.array(z.string()).min(1),
    /** The stablecoin of the customer's embedded wallet, when the platform gives its customers one. */
    walletCurrency: z.string().optional(),
    kycStatus: z.enum(kycStatuses),
    email: personal(z.string()).optional(),
    phoneNumber: personal(z.string()).optional(),
    fullName: personal(z.string()).optional(),
    birthDate: personal(z.string()).optional(),
    nationality: personal(z.string()).optional(),
    address: personal(storedAddress).optional(),
    idType: z.string().optional(),
    identifier: personal(z.string()).optional(),
    countryOfIssuance: z.string().optional(),
    at: instant,
  }),
};
export type CustomerEvent = EventOf<typeof customerEvents>;
