import { z } from 'zod';
import { paymentRail } from '../../domain/external-accounts/payment-rails.ts';
import { cryptoNetworks } from '../../domain/payments/ends.ts';
import { largestPayment } from '../../domain/values/amount.ts';
import { customerInfo } from '../../domain/values/customer-info.ts';
import { idSchema } from '../../kernel/ids.ts';
import { currencyCode } from '../fields/amounts.ts';
import { positiveAmount } from '../fields/fields.ts';
import { paymentMemo } from '../fields/payment-memo.ts';
import { accountId, paymentAddress, remark } from '../fields/texts.ts';

const sourceRequest = z.object({
  sourceType: z.enum(['ACCOUNT', 'REALTIME_FUNDING']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  customerId: idSchema('Customer').optional(),
  currency: currencyCode.optional().meta({ description: 'For REALTIME_FUNDING.' }),
  cryptoNetwork: z.enum(cryptoNetworks).optional(),
});

const destinationRequest = z.object({
  destinationType: z.enum(['ACCOUNT', 'UMA_ADDRESS']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  paymentRail: paymentRail.optional(),
  umaAddress: paymentAddress.optional().meta({ description: 'For UMA_ADDRESS.' }),
  currency: currencyCode
    .optional()
    .meta({ description: 'For UMA_ADDRESS: one that the receiver takes; its first when left out.' }),
});

export const createQuoteRequest = z
  .object({
    source: sourceRequest,
    destination: destinationRequest,
    lockedCurrencySide: z.enum(['SENDING', 'RECEIVING']),
    lockedCurrencyAmount: positiveAmount(largestPayment),
    lookupId: idSchema('Lookup').optional(),
    immediatelyExecute: z.boolean().default(false),
    description: remark.optional(),
    purposeOfPayment: paymentMemo.purposeOfPayment,
    remittanceInformation: paymentMemo.remittanceInformation,
    senderCustomerInfo: customerInfo.optional(),
  })
  .superRefine(({ source, destination, lookupId, immediatelyExecute }, context) => {
    const require = (field: string, value: unknown, message = 'is required') => {
      if (value === undefined) context.addIssue({ code: 'custom', path: field.split('.'), message });
    };
    if (source.sourceType === 'ACCOUNT') require('source.accountId', source.accountId);
    else require('source.currency', source.currency);
    if (destination.destinationType === 'ACCOUNT') require('destination.accountId', destination.accountId);
    else {
      require('destination.umaAddress', destination.umaAddress);
      require('lookupId', lookupId, 'is required for a payment address: look the receiver up first');
    }
    if (immediatelyExecute && source.sourceType === 'REALTIME_FUNDING') {
      const message = 'is not for REALTIME_FUNDING: the quote runs when the money arrives';
      context.addIssue({ code: 'custom', path: ['immediatelyExecute'], message });
    }
  })
  .meta({ id: 'QuoteCreateRequest' });
export type CreateQuoteRequest = z.output<typeof createQuoteRequest>;
