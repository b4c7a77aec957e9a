import { z } from 'zod';
import { rowOfExternalAccount } from '../../../projections/models/external-accounts.ts';
import type { ExternalAccountRow } from '../../../projections/tables/accounts.ts';
import { accountInfoResponseSchema, railsOf } from '../../domain/external-accounts/definitions.ts';
import { externalAccountStatuses, verificationStatuses } from '../../domain/external-accounts/events.ts';
import type { RegisteredExternalAccount } from '../../domain/external-accounts/external-account.ts';
import { idField } from '../../kernel/ids.ts';
import { present, timestamp } from '../fields/fields.ts';

export const ownershipType = z.enum(['FIRST_PARTY', 'THIRD_PARTY']);

export const externalAccountSchema = z
  .object({
    id: idField('ExternalAccount'),
    customerId: idField('Customer')
      .nullable()
      .meta({ description: 'Null when the account belongs to the platform.' }),
    platformAccountId: z.string().optional(),
    status: z.enum(externalAccountStatuses),
    currency: z.string(),
    accountInfo: accountInfoResponseSchema,
    ownershipType: ownershipType.optional(),
    defaultUmaDepositAccount: z.boolean(),
    beneficiaryVerificationStatus: z.enum(verificationStatuses).optional(),
    beneficiaryVerifiedData: z.object({ fullName: z.string() }).optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ExternalAccount' });

export const renderExternalAccount = (row: ExternalAccountRow) =>
  present({
    id: row.id,
    customerId: row.customer_id,
    platformAccountId: row.platform_account_id ?? undefined,
    status: row.status,
    currency: row.currency,
    accountInfo: { ...row.account_info, paymentRails: railsOf(row.account_info.accountType) },
    ownershipType: row.ownership_type ?? undefined,
    defaultUmaDepositAccount: row.default_uma_deposit_account,
    beneficiaryVerificationStatus: row.verification_status ?? undefined,
    beneficiaryVerifiedData: row.verified_name === null ? undefined : { fullName: row.verified_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });

/** The same of an account that was just registered. */
export const renderRegistered = (account: RegisteredExternalAccount) =>
  renderExternalAccount(rowOfExternalAccount(account));
