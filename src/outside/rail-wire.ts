/** What goes between Daybook and a rail that is a service; docs/reference/rail-protocol.md shows it. */
import { z } from 'zod';
import { verificationStatuses } from '../domain/external-accounts/events.ts';
import { findCurrency } from '../domain/money/currencies.ts';
import { failureReasons } from '../domain/payments/events.ts';
import type { Counterparty, RailPayment } from '../domain/ports/payment-rail.ts';
import { decisionPattern } from '../domain/ports/rail-module.ts';
import { minorUnits } from '../kernel/codecs.ts';
import { isOfCalendar } from '../kernel/moments.ts';

const textMax = 255;
const namedMax = 20;
const remittanceMax = 1_024;

const text = z.string().min(1).max(textMax);
const time = z.iso
  .datetime()
  .transform((at) => new Date(at))
  .refine(isOfCalendar, 'is in none of the years 1 to 9999');
const reason = z.enum(failureReasons).default('OFFRAMP_FAILED');

const settled = z.object({ status: z.literal('settled'), checkAt: time.optional() });
const failed = z.object({ status: z.literal('failed'), reason, refundFails: z.boolean().default(false) });
const rejected = z.object({ status: z.literal('rejected'), reason });
const cancelled = z.object({ status: z.literal('cancelled') });
const returned = z.object({ status: z.literal('returned'), reason });
const accepted = z.object({
  status: z.literal('accepted'),
  reference: text,
  underway: z.boolean().default(true),
  checkAt: time.optional(),
});
const unknown = z.object({ status: z.literal('unknown') });

const endings = [settled, failed, rejected, cancelled, returned] as const;

/** The answer to `payment.status` and `payment.withdraw`. */
export const statusAnswer = z.discriminatedUnion('status', [accepted, ...endings, unknown]);
/** The answer to `payment.submit`. */
export const submitAnswer = z.discriminatedUnion('status', [accepted, ...endings]);
/** The answer to `account.check`. */
export const checkAnswer = z.discriminatedUnion('status', [
  z.object({
    status: z.enum(verificationStatuses),
    fullName: text.optional(),
  }),
  /** The rail does not check accounts. */
  z.object({ status: z.literal('UNCHECKED') }),
  z.object({ status: z.literal('INVALID'), message: text.optional() }),
]);

const arrivedMoney = z.object({
  type: z.literal('money.arrived'),
  bankReference: text,
  amount: z.object({
    minor: minorUnits.refine((minor) => minor > 0n),
    currency: text.refine((code) => findCurrency(code) !== undefined),
  }),
  named: z.array(z.string().max(remittanceMax)).max(namedMax),
  decision: z.string().regex(decisionPattern).optional(),
});

/** What the service posts to `POST /rail/events`. */
export const railEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('payment.ended'),
    paymentId: text,
    ending: z.discriminatedUnion('status', endings),
  }),
  z.object({ type: z.literal('payment.news'), paymentId: text }),
  arrivedMoney,
]);

/** A payment as the service sees it: amounts as decimal text of minor units. */
export const wirePayment = (payment: RailPayment) => ({
  paymentId: payment.paymentId,
  platformId: payment.platformId,
  kind: payment.kind,
  amount: { minor: payment.amount.minor.toString(), currency: payment.amount.currency },
  counterparty: wireCounterparty(payment.counterparty),
  reference: payment.reference,
  ...(payment.paymentRail !== undefined && { paymentRail: payment.paymentRail }),
  ...(payment.remittanceInformation !== undefined && {
    remittanceInformation: payment.remittanceInformation,
  }),
  startedAt: payment.startedAt.toISOString(),
  recorded: payment.recorded,
});

function wireCounterparty(counterparty: Counterparty) {
  if (counterparty.kind === 'address') return counterparty;
  const { externalAccountId, customerId, currency, accountInfo } = counterparty.account;
  return { kind: 'account', externalAccountId, customerId, currency, accountInfo };
}
