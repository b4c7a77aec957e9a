import { z } from 'zod';
import { paymentRail } from '../../domain/external-accounts/payment-rails.ts';
import { largestPayment } from '../../domain/values/amount.ts';
import { customerInfo } from '../../domain/values/customer-info.ts';
import { idSchema } from '../../kernel/ids.ts';
import { acrossFields, type FieldProblem, requiredOf, type Sent } from '../fields/across-fields.ts';
import { currencyCode } from '../fields/amounts.ts';
import { cryptoNetwork } from '../fields/enumerations.ts';
import { positiveAmount } from '../fields/fields.ts';
import { paymentMemo } from '../fields/payment-memo.ts';
import { accountId, paymentAddress, remark } from '../fields/texts.ts';

const sourceRequest = z.object({
  sourceType: z.enum(['ACCOUNT', 'REALTIME_FUNDING']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  customerId: idSchema('Customer').optional().meta({
    description:
      "Who pays, where the account does not say it. Needed with a lookupId, from the platform's own accounts and for REALTIME_FUNDING.",
  }),
  currency: currencyCode.optional().meta({ description: 'For REALTIME_FUNDING.' }),
  cryptoNetwork: cryptoNetwork.optional().meta({ description: 'For REALTIME_FUNDING in a cryptocurrency.' }),
});

const destinationRequest = z.object({
  destinationType: z.enum(['ACCOUNT', 'UMA_ADDRESS']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  paymentRail: paymentRail.optional().meta({ description: 'For an external account.' }),
  umaAddress: paymentAddress.optional().meta({ description: 'For UMA_ADDRESS.' }),
  currency: currencyCode
    .optional()
    .meta({ description: 'For UMA_ADDRESS: one that the receiver takes; its first when left out.' }),
});

function sourceProblems(sent: Sent): readonly FieldProblem[] {
  const type = sent('source.sourceType');
  if (type === 'ACCOUNT') return requiredOf(sent, 'source.accountId');
  if (type !== 'REALTIME_FUNDING') return [];
  const message = 'is not for REALTIME_FUNDING: the quote runs when the money arrives';
  const early = sent('immediatelyExecute') === true ? [{ field: 'immediatelyExecute', message }] : [];
  return [...requiredOf(sent, 'source.currency'), ...early];
}

function destinationProblems(sent: Sent): readonly FieldProblem[] {
  const type = sent('destination.destinationType');
  if (type === 'ACCOUNT') return requiredOf(sent, 'destination.accountId');
  if (type !== 'UMA_ADDRESS') return [];
  return [
    ...requiredOf(sent, 'destination.umaAddress'),
    ...requiredOf(sent, 'lookupId', 'is required for a payment address: look the receiver up first'),
  ];
}

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
  .check(acrossFields((sent) => [...sourceProblems(sent), ...destinationProblems(sent)]))
  .meta({ id: 'QuoteCreateRequest' });
export type CreateQuoteRequest = z.output<typeof createQuoteRequest>;
