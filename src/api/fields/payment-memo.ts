/** What a payment says about itself on its way. */
import { z } from 'zod';

const purposes = [
  'GIFT',
  'SELF',
  'GOODS_OR_SERVICES',
  'EDUCATION',
  'HEALTH_OR_MEDICAL',
  'REAL_ESTATE_PURCHASE',
  'TAX_PAYMENT',
  'LOAN_PAYMENT',
  'UTILITY_BILL',
  'DONATION',
  'TRAVEL',
  'OTHER',
] as const;

/** Two more are taken than are documented. */
const purposeOfPayment = z
  .enum([...purposes, 'FAMILY_SUPPORT', 'SALARY_PAYMENT'])
  .meta({ override: { type: 'string', enum: [...purposes] } });

export const paymentMemo = {
  remittanceInformation: z.string().min(1).max(80).optional(),
  purposeOfPayment: purposeOfPayment.optional(),
};
