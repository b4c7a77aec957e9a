/** What the receiver's answer to INCOMING_PAYMENT.PENDING means for the payment. Pure. */
import { z } from 'zod';
import type { TransactionCommand } from '../../domain/payments/commands.ts';
import { customerInfo } from '../../domain/values/customer-info.ts';
import { parseExactly } from '../../kernel/json.ts';
import type { Outcome } from './send.ts';

/** How long the platform may take after it has answered that it will decide later. */
const laterMs = 5_000;
/** How long it may take to answer at all. */
export const approvalTimeoutMs = 5_000;
/** Of what it says of a refusal, so much is kept. */
const noteMax = 1_000;
/** How long its answer may be. */
export const approvalMaxBytes = 65_536;

const approval = z.object({ receiverCustomerInfo: customerInfo.nullish() });
const refusal = z.object({ reason: z.string().optional(), message: z.string().optional() });

export function decisionOf(outcome: Outcome, at: Date): TransactionCommand {
  const { status, excerpt, text, timedOut } = outcome;
  switch (status) {
    case 200:
      return approved(outcome, at);
    case 202:
      return { type: 'DeferApproval', until: new Date(at.getTime() + laterMs), at };
    case 403: {
      const said = refusal.safeParse(parse(text ?? excerpt)).data;
      return {
        type: 'RejectPayment',
        note: (said?.reason ?? said?.message)?.slice(0, noteMax).toWellFormed(),
        at,
      };
    }
    case 422:
      return { type: 'FailApproval', reason: 'PAY_REQUEST_FAILED', at };
    default:
      return undecided(timedOut, at);
  }
}

/** An answer that did not come whole may have said more; one that says nothing of the receiver approves all the same. */
function approved({ text, timedOut }: Outcome, at: Date): TransactionCommand {
  if (text === undefined) return undecided(timedOut, at);
  const said = parse(text);
  if (typeof said !== 'object' || said === null) return { type: 'ApprovePayment', isLastWord: true, at };
  const { success, data } = approval.safeParse(said);
  if (!success) return undecided(timedOut, at);
  const receiverCustomerInfo = data.receiverCustomerInfo ?? undefined;
  return { type: 'ApprovePayment', receiverCustomerInfo, isLastWord: true, at };
}

const undecided = (timedOut: true | undefined, at: Date): TransactionCommand => ({
  type: 'FailApproval',
  reason: timedOut ? 'PAYMENT_APPROVAL_TIMED_OUT' : 'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  at,
});

function parse(text: string | undefined): unknown {
  try {
    return parseExactly(text ?? '');
  } catch {
    return undefined;
  }
}
