/** Why a bank refused or returned a payment: codes of ISO 20022's external code sets for statuses and returns. */
import type { FailureReason } from '../../../domain/payments/events.ts';

type ReasonRow = {
  /** How the codes begin. */
  readonly begin: readonly string[];
  readonly meaning: string;
  readonly reason: FailureReason;
};

/** The first row that fits counts; docs/how-to/connect-a-bank.md shows them. */
export const reasonRows: readonly ReasonRow[] = [
  {
    begin: ['AC', 'AG01', 'AGNT', 'BE', 'CNOR', 'DNOR', 'MD07', 'RC'],
    meaning: 'the account, its owner or its bank',
    reason: 'OFFRAMP_FAILED',
  },
  {
    begin: ['AB', 'AG', 'AM', 'CH', 'CURR', 'CUST', 'DT', 'DU', 'ED', 'FF', 'FR', 'RR', 'SL', 'TECH', 'TM'],
    meaning: 'the order: amount, date, format, cover; of a return, a duplicate',
    reason: 'QUOTE_EXECUTION_FAILED',
  },
];

/** Of a code that stands in no row, and of none. */
export const otherReason: FailureReason = 'OFFRAMP_FAILED';

export const reasonOf = (code: string | undefined): FailureReason =>
  reasonRows.find(({ begin }) => begin.some((start) => code?.startsWith(start)))?.reason ?? otherReason;

/**
 * Whether a reason is that the bank has the payment already, by its code or in words. A copy was refused then: nothing is
 * said of the payment itself.
 */
export const namesDuplicate = (reason: string): boolean => /^(AM05|DU\d\d)$|dupl/i.test(reason);
