/** Who takes part in the tests. */
import { idOf } from '../../../src/kernel/ids.ts';
import { uuidNumber } from '../values/ids.ts';

export const platformId = idOf('Platform', uuidNumber(1));
export const customerId = idOf('Customer', uuidNumber(2));
export const accountId = idOf('InternalAccount', uuidNumber(3));
export const transactionId = idOf('Transaction', uuidNumber(4));
export const quoteId = idOf('Quote', uuidNumber(4));
export const depositId = idOf('Transaction', uuidNumber(5));
export const externalAccountId = idOf('ExternalAccount', uuidNumber(6));
export const invitationId = idOf('Invitation', uuidNumber(8));
export const otherPlatformId = idOf('Platform', uuidNumber(9));
export const externalReservation = uuidNumber(7);
export const lookupId = idOf('Lookup', uuidNumber(8));

/** The other side of a payment. */
export const payeePlatformId = idOf('Platform', uuidNumber(11));
export const payeeId = idOf('Customer', uuidNumber(12));
export const payeeAccountId = idOf('InternalAccount', uuidNumber(13));
export const originId = idOf('Transaction', uuidNumber(14));
export const payerBankId = idOf('ExternalAccount', uuidNumber(15));
