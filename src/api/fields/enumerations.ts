/** Enumerations that several schemas and filters have, under the names that a client's types get. */
import { z } from 'zod';
import { webhookStates } from '../../../projections/tables/webhooks.ts';
import { accountTypes } from '../../domain/accounts/events.ts';
import { agentPermissions, executionModes } from '../../domain/agents/events.ts';
import { clocks } from '../../domain/books/clocks.ts';
import { customerTypes, kycStatuses } from '../../domain/customers/events.ts';
import { documentSides, documentTypes } from '../../domain/documents/events.ts';
import { cryptoNetworks } from '../../domain/payments/ends.ts';
import { permissions } from '../../domain/tokens/permissions.ts';
import { ownerRoles, verificationStatuses } from '../../domain/verification/events.ts';
import { credentialTypes } from '../../domain/wallets/events.ts';
import { webhookTypes } from '../../domain/webhooks/types.ts';

const named = <const Values extends readonly [string, ...string[]]>(id: string, values: Values) =>
  z.enum(values).meta({ id });

export const internalAccountType = named('InternalAccountType', accountTypes);
export const agentPermission = named('AgentPermission', agentPermissions);
export const executionMode = named('ExecutionMode', executionModes);
export const auditClock = named('AuditClock', clocks);
export const customerType = named('CustomerType', customerTypes);
export const kycStatus = named('KycStatus', kycStatuses);
export const documentSide = named('DocumentSide', documentSides);
export const documentType = named('DocumentType', documentTypes);
export const cryptoNetwork = named('CryptoNetwork', cryptoNetworks);
export const apiPermission = named('ApiPermission', permissions);
export const ownerRole = named('BeneficialOwnerRole', ownerRoles);
export const verificationStatus = named('VerificationStatus', verificationStatuses);
export const authMethodType = named('AuthMethodType', credentialTypes);
export const webhookType = named('WebhookType', webhookTypes);
export const webhookState = named('WebhookState', webhookStates);
export const transactionStatus = named('TransactionStatus', [
  'CREATED',
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
]);
export const transactionType = named('TransactionType', ['INCOMING', 'OUTGOING']);
export const agentActionStatus = named('AgentActionStatus', [
  'PENDING_APPROVAL',
  'APPROVED',
  'REJECTED',
  'FAILED',
]);
export const agentDecisionStatus = agentActionStatus
  .exclude(['PENDING_APPROVAL'])
  .meta({ id: 'AgentDecisionStatus' });
export const sortOrder = named('SortOrder', ['asc', 'desc']);
