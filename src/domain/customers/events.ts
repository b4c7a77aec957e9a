import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import type { BusinessInfo } from './business-info.ts';

/** `kybStatus` has the same values. */
export const kycStatuses = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED'] as const;
export type KycStatus = (typeof kycStatuses)[number];

export const customerTypes = ['INDIVIDUAL', 'BUSINESS'] as const;
export type CustomerType = (typeof customerTypes)[number];

const storedAddress = z.object({
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postalCode: z.string(),
  country: z.string(),
});

/** Checked when it was given; later changes of the rules do not make a stored one unreadable. */
const storedBusinessInfo = z
  .custom<BusinessInfo>((value) => typeof value === 'object' && value !== null && 'legalName' in value)
  .meta({ type: 'object', description: 'What the business says of itself; legalName is always there.' });

const customerId = idField('Customer');

/** A name of the customer, by the reservation that keeps others from having it. */
const heldName = z.object({ reservation: z.uuid(), claim: z.string().optional() });
export type HeldName = z.output<typeof heldName>;

const profile = {
  email: personal(z.string()).optional(),
  phoneNumber: personal(z.string()).optional(),
  fullName: personal(z.string()).optional(),
  birthDate: personal(z.string()).optional(),
  nationality: personal(z.string()).optional(),
  address: personal(storedAddress).optional(),
  idType: personal(z.string()).optional(),
  identifier: personal(z.string()).optional(),
  countryOfIssuance: personal(z.string()).optional(),
  businessInfo: personal(storedBusinessInfo).optional(),
};

/** What follows for the customer's internal accounts can be told from the event alone. */
const holdings = {
  platformId: idField('Platform'),
  /** Every currency that the customer has an account in, also one that it has given up. */
  heldCurrencies: z.array(z.string()).min(1),
  walletCurrency: z.string().optional(),
};

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const customerEvents = {
  CustomerCreated: z.object({
    platformId: idField('Platform'),
    customerId,
    platformCustomerId: z.string().min(1),
    customerType: z.enum(customerTypes),
    umaAddress: personal(z.string().min(1)),
    region: z.string().length(2),
    currencies: z.array(z.string()).min(1),
    /** The stablecoin of the customer's embedded wallet, when the platform gives its customers one. */
    walletCurrency: z.string().optional(),
    /** Of a business, what the interface calls kybStatus. */
    kycStatus: z.enum(kycStatuses),
    ...profile,
    at: instant,
  }),
  /** The customer entered a status, by being verified. */
  CustomerStatusChanged: z.object({
    customerId,
    customerType: z.enum(customerTypes),
    kycStatus: z.enum(kycStatuses),
    ...holdings,
    at: instant,
  }),
  /** Each field that is there has the value that holds from then on. */
  CustomerUpdated: z.object({
    platformId: idField('Platform'),
    customerId,
    umaAddress: personal(z.string().min(1)).optional(),
    currencies: z.array(z.string()).min(1).optional(),
    ...profile,
    /** The e-mail address is newer than so many changes that the customer's wallet has signed. */
    emailOrdinal: z.int().min(0).optional(),
    /** Names that the customer has from now on, and those that it gave up for them. */
    taken: z.array(heldName),
    released: z.array(heldName),
    /** Currencies in which the customer had no account, and the status that accounts of the customer have now. */
    opened: z.object({ currencies: z.array(z.string()), status: z.enum(['PENDING', 'ACTIVE']) }).optional(),
    at: instant,
  }),
  /**
   * A name that was reserved under the claim goes to somebody else: the customer takes none under it any more. Without a
   * claim: the customer was not created, and never will be.
   */
  CustomerClaimEnded: z.object({ customerId, claim: z.string().optional(), at: instant }),
  /** The customer's accounts are halted, and looked into. Every deletion has a number, counted from 1. */
  DeletionBegun: z.object({
    platformId: idField('Platform'),
    customerId,
    deletion: z.int().min(1),
    at: instant,
  }),
  /** There was money, or a payment under way, or nobody has gone on with it: the accounts go on as before. */
  DeletionAbandoned: z.object({ customerId, deletion: z.int().min(1), ...holdings, at: instant }),
  CustomerDeleted: z.object({ customerId, released: z.array(heldName), ...holdings, at: instant }),
  /** The keys of what the log has of the person are destroyed from here on. */
  CustomerErased: z.object({ platformId: idField('Platform'), customerId, at: instant }),
};
export type CustomerEvent = EventOf<typeof customerEvents>;
