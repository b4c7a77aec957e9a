import { z } from 'zod';

export const paymentRail = z
  .enum([
    'ACH',
    'WIRE',
    'RTP',
    'FEDNOW',
    'BANK_TRANSFER',
    'SEPA',
    'SEPA_INSTANT',
    'FASTER_PAYMENTS',
    'SPEI',
    'PIX',
    'MOBILE_MONEY',
    'UPI',
    'NEFT',
    'RTGS',
    'PAYNOW',
    'FAST',
    'SWIFT',
    'ACH_COLOMBIA',
    'BRE_B',
    'CIPS',
    'INSTAPAY',
    'PESONET',
    'UNIONPAY',
  ])
  .meta({ id: 'PaymentRail' });

export type PaymentRail = z.output<typeof paymentRail>;

export const isPaymentRail = (text: string): text is PaymentRail =>
  paymentRail.options.some((rail) => rail === text);
