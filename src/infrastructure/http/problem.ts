/** From a refusal to its answer: the one place where codes meet HTTP statuses (completion 1.5). */
import { z } from 'zod';
import { Rejected, type RejectionCode } from '../../kernel/rejected.ts';
import { WrongRevision } from '../event-store/event-store.ts';

export const statusOf = {
  INVALID_INPUT: 400,
  INVALID_REQUEST_FORMAT: 400,
  INVALID_UMA_ADDRESS: 400,
  INVALID_CURRENCY: 400,
  INVALID_AMOUNT: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  INVALID_BANK_ACCOUNT: 400,
  SELF_PAYMENT: 400,
  INSUFFICIENT_BALANCE: 400,
  MISSING_MANDATORY_USER_INFO: 400,
  INVITATION_ALREADY_CLAIMED: 400,
  INVITATION_CANCELLED: 400,
  INVITATIONS_NOT_CONFIGURED: 400,
  WEBHOOK_ENDPOINT_NOT_SET: 400,
  WEBHOOK_DELIVERY_ERROR: 400,
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: 400,
  UNAUTHORIZED: 401,
  WALLET_SIGNATURE_MISSING: 401,
  WALLET_SIGNATURE_MALFORMED: 401,
  WALLET_SIGNATURE_BODY_MISMATCH: 401,
  WALLET_SIGNATURE_INVALID: 401,
  REQUEST_ID_MISSING: 401,
  FORBIDDEN: 403,
  USER_NOT_READY: 403,
  USER_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  QUOTE_NOT_FOUND: 404,
  LOOKUP_REQUEST_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  UMA_NOT_FOUND: 404,
  REFERENCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  UMA_ADDRESS_EXISTS: 409,
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: 409,
  QUOTE_EXPIRED: 409,
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: 409,
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: 409,
  CUSTOMER_DELETED: 410,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 501,
} as const satisfies Record<RejectionCode, number>;

export const isRejectionCode = (code: string): code is RejectionCode => Object.hasOwn(statusOf, code);

export const errorBody = z
  .object({
    status: z.int(),
    code: z.string(),
    message: z.string(),
    reason: z.string().optional().meta({ description: 'Which check of an authentication failed.' }),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: 'Error',
    description: 'What was wrong and, for field errors, every field that has to change.',
  });

export type Problem = z.output<typeof errorBody>;

/** The answer to an error, or `undefined` when the error is not the caller's. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Rejected) {
    const { code, message, details } = error;
    const status = statusOf[code];
    const reason = status === 401 && typeof details?.reason === 'string' ? { reason: details.reason } : {};
    return { status, code, message, ...reason, ...(details && { details }) };
  }
  if (error instanceof WrongRevision) {
    return {
      status: 409,
      code: 'CONFLICT',
      message: 'Too many changes to this resource at the same moment; send the request again.',
    };
  }
  return undefined;
}

/** Says nothing of the cause; the log has it under the request id. */
export const internalProblem = (requestId: string): Problem => ({
  status: 500,
  code: 'INTERNAL_ERROR',
  message: 'The service failed to handle the request. The request id finds it in the log.',
  details: { requestId },
});

/** The answer to what Express or its body reader refused, or `undefined` for anything else. */
export function transportProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (status === 413) {
    return { status: 413, code: 'INVALID_REQUEST_FORMAT', message: 'The body is larger than 1 MiB.' };
  }
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  if (error instanceof URIError) {
    return { status: 404, code: 'REFERENCE_NOT_FOUND', message: 'The path is not validly percent-encoded.' };
  }
  return { status: 400, code: 'INVALID_REQUEST_FORMAT', message: 'The request body cannot be read.' };
}
