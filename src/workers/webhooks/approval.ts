/** What the receiver's answer to INCOMING_PAYMENT.PENDING means for the payment. Pure. */
import { z } from 'zod';
import type { TransactionCommand } from '../../domain/payments/commands.ts';
import type { Outcome } from './send.ts';

/** How long the platform may take after it has answered that it will decide later. */
const laterMs = 5_000;
/** How long it may take to answer at all. */
export const approvalTimeoutMs = 5_000;

const approval = z.object({ receiverCustomerInfo: z.record(z.string(), z.coerce.string()).optional() });
const refusal = z.object({ reason: z.string().optional(), message: z.string().optional() });

export function decisionOf({ status, excerpt, timedOut }: Outcome, at: Date): TransactionCommand {
  const body = parse(excerpt);
  switch (status) {
    case 200:
      return {
        type: 'ApprovePayment',
        receiverCustomerInfo: approval.safeParse(body).data?.receiverCustomerInfo,
        at,
      };
    case 202:
      return { type: 'DeferApproval', until: new Date(at.getTime() + laterMs), at };
    case 403: {
      const said = refusal.safeParse(body).data;
      return { type: 'RejectPayment', note: (said?.reason ?? said?.message)?.slice(0, 1000), at };
    }
    case 422:
      return { type: 'FailApproval', reason: 'PAY_REQUEST_FAILED', at };
    default:
      return {
        type: 'FailApproval',
        reason: timedOut ? 'PAYMENT_APPROVAL_TIMED_OUT' : 'PAYMENT_APPROVAL_WEBHOOK_ERROR',
        at,
      };
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
