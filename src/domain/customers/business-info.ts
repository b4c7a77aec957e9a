import { z } from 'zod';
import { bounds } from '../values/bounds.ts';
import { countryCode, text } from '../values/text.ts';

// A value that the service does not know is refused, so a misspelt one is noticed.

const entityTypes = [
  'SOLE_PROPRIETORSHIP',
  'PARTNERSHIP',
  'LLC',
  'CORPORATION',
  'S_CORPORATION',
  'NON_PROFIT',
  'OTHER',
  'PUBLICLY_LISTED_COMPANY',
  'TRUST',
  'PRIVATE_FOUNDATION',
  'CHARITY',
] as const;

const businessTypes = [
  'AGRICULTURE_FORESTRY_FISHING_AND_HUNTING',
  'MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION',
  'UTILITIES',
  'CONSTRUCTION',
  'MANUFACTURING',
  'WHOLESALE_TRADE',
  'RETAIL_TRADE',
  'TRANSPORTATION_AND_WAREHOUSING',
  'INFORMATION',
  'FINANCE_AND_INSURANCE',
  'REAL_ESTATE_AND_RENTAL_AND_LEASING',
  'PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES',
  'MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES',
  'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
  'EDUCATIONAL_SERVICES',
  'HEALTH_CARE_AND_SOCIAL_ASSISTANCE',
  'ARTS_ENTERTAINMENT_AND_RECREATION',
  'ACCOMMODATION_AND_FOOD_SERVICES',
  'OTHER_SERVICES',
  'PUBLIC_ADMINISTRATION',
] as const;

const purposes = [
  'CONTRACTOR_PAYOUTS',
  'CREATOR_PAYOUTS',
  'EMPLOYEE_PAYOUTS',
  'MARKETPLACE_SELLER_PAYOUTS',
  'SUPPLIER_PAYMENTS',
  'CROSS_BORDER_B2B',
  'AR_AUTOMATION',
  'AP_AUTOMATION',
  'EMBEDDED_PAYMENTS',
  'PLATFORM_FEE_COLLECTION',
  'P2P_TRANSFERS',
  'CHARITABLE_DONATIONS',
  'OTHER',
] as const;

const sources = [
  'OPERATING_REVENUE',
  'INVESTMENT_INCOME',
  'LOANS',
  'VENTURE_CAPITAL',
  'PERSONAL_SAVINGS',
  'DONATIONS',
  'OTHER',
] as const;

const counts = [
  'COUNT_UNDER_10',
  'COUNT_10_TO_100',
  'COUNT_100_TO_500',
  'COUNT_500_TO_1000',
  'COUNT_OVER_1000',
] as const;

const volumes = [
  'VOLUME_UNDER_10K',
  'VOLUME_10K_TO_100K',
  'VOLUME_100K_TO_1M',
  'VOLUME_1M_TO_10M',
  'VOLUME_OVER_10M',
] as const;

const short = text(1, bounds.line);
const countries = z.array(countryCode).max(bounds.countries);

export const businessInfoSchema = z
  .object({
    legalName: short,
    doingBusinessAs: short.optional(),
    registrationNumber: short.optional(),
    taxId: short.optional(),
    country: countryCode.optional(),
    incorporatedOn: z.iso.date().optional(),
    entityType: z.enum(entityTypes).optional(),
    countriesOfOperation: countries.optional(),
    expectedRecipientJurisdictions: countries.optional(),
    expectedCounterpartyCountries: countries.optional(),
    businessType: z.enum(businessTypes).optional(),
    purposeOfAccount: z.enum(purposes).optional(),
    purposeOfAccountOtherDescription: text(1, 500).optional(),
    sourceOfFunds: text(1, bounds.remark).optional(),
    sourceOfFundsCategories: z.array(z.enum(sources)).max(sources.length).optional(),
    sourceOfFundsOtherDescription: text(1, 500).optional(),
    expectedMonthlyTransactionCount: z.enum(counts).optional(),
    expectedMonthlyTransactionVolume: z.enum(volumes).optional(),
    naicsCode: z
      .string()
      .regex(/^\d{2,6}$/, 'must be 2 to 6 digits')
      .optional(),
    primaryContactFirstName: text(1, 250).optional(),
    primaryContactLastName: text(1, 250).optional(),
  })
  .meta({ id: 'BusinessInfo' });
export type BusinessInfo = z.output<typeof businessInfoSchema>;
