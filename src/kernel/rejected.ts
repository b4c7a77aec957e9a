/** Why a command or request was refused: a closed list. */
export const rejectionCodes = [
  'INVALID_INPUT',
  'INVALID_REQUEST_FORMAT',
  'INVALID_UMA_ADDRESS',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_RANGE',
  'INVALID_BANK_ACCOUNT',
  'INVALID_RECEIVER',
  'SELF_PAYMENT',
  'INSUFFICIENT_BALANCE',
  'MISSING_MANDATORY_USER_INFO',
  'INVITATION_ALREADY_CLAIMED',
  'INVITATION_CANCELLED',
  'INVITATIONS_NOT_CONFIGURED',
  'WEBHOOK_ENDPOINT_NOT_SET',
  'WEBHOOK_DELIVERY_ERROR',
  'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
  'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
  'UNAUTHORIZED',
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'WALLET_SIGNATURE_INVALID',
  'REQUEST_ID_MISSING',
  'FORBIDDEN',
  'USER_NOT_READY',
  'VELOCITY_LIMIT_EXCEEDED',
  'USER_NOT_FOUND',
  'TRANSACTION_NOT_FOUND',
  'QUOTE_NOT_FOUND',
  'LOOKUP_REQUEST_NOT_FOUND',
  'INVITATION_NOT_FOUND',
  'TOKEN_NOT_FOUND',
  'UMA_NOT_FOUND',
  'REFERENCE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'UMA_ADDRESS_EXISTS',
  'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  'QUOTE_EXPIRED',
  'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
  'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
  'CUSTOMER_DELETED',
  'RATE_LIMITED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'NOT_IMPLEMENTED',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

export const isRejectionCode = (code: string): code is RejectionCode =>
  rejectionCodes.some((known) => known === code);

/** A refusal that the caller can act on. Nothing was recorded. */
export class Rejected extends Error {
  override name = 'Rejected';
  readonly code: RejectionCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: RejectionCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A value that is not taken. `message` goes on from the name of the field; `constraint` is what would be taken. */
export const badField = (field: string, message: string, constraint?: object): Rejected =>
  new Rejected('INVALID_INPUT', `${field} ${message}.`, {
    errors: [{ field, message, ...(constraint && { constraint }) }],
  });

/** Says which fields to look at; `more` counts those that are not named. */
export function toCheck(named: readonly string[], more = 0): string {
  const these = named.length === 1 ? 'this field' : 'these fields';
  return `Check ${these}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Several fields that are wrong, each with what it must be. */
export const badFields = (
  errors: readonly { readonly field: string; readonly message: string }[],
): Rejected => new Rejected('INVALID_INPUT', toCheck(errors.map(({ field }) => field)), { errors });

/** A caller who has not shown who it is. A `reason` is one of those in docs/reference/errors.md. */
export const unauthorized = (message: string, reason?: string): Rejected =>
  new Rejected('UNAUTHORIZED', message, reason === undefined ? undefined : { reason });

/** Whether it refuses what was asked for: that nobody can say now is no answer, and it is asked again. */
export const saysNo = (error: unknown): error is Rejected =>
  error instanceof Rejected && error.code !== 'SERVICE_UNAVAILABLE';
