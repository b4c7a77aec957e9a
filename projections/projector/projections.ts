import { agents } from '../models/agents.ts';
import { beneficialOwners } from '../models/beneficial-owners.ts';
import { customers } from '../models/customers.ts';
import { deletedTokens } from '../models/deleted-tokens.ts';
import { documents } from '../models/documents.ts';
import { externalAccounts } from '../models/external-accounts.ts';
import { fundingReferences } from '../models/funding-references.ts';
import { internalAccounts } from '../models/internal-accounts.ts';
import { ledger } from '../models/ledger.ts';
import { platformClocks } from '../models/platform-clocks.ts';
import { timers } from '../models/timers.ts';
import { transactions } from '../models/transactions.ts';
import { verifications } from '../models/verifications.ts';
import { wallets } from '../models/wallets.ts';
import { webhookEndpoints } from '../models/webhook-endpoints.ts';
import type { Projection } from './projection.ts';

/** All read models. */
export const projections: readonly Projection[] = [
  customers,
  beneficialOwners,
  verifications,
  documents,
  internalAccounts,
  fundingReferences,
  externalAccounts,
  transactions,
  agents,
  ledger,
  timers,
  platformClocks,
  wallets,
  webhookEndpoints,
  deletedTokens,
];
