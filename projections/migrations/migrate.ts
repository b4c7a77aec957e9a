import { Migrator } from 'kysely/migration';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import { dropAuditorViews, refreshAuditorViews } from '../auditor/schema.ts';
import type { ReadDb } from '../database.ts';
import { books } from './0001-books.ts';
import { operations } from './0002-operations.ts';
import { webhooks } from './0003-webhooks.ts';
import { wallets } from './0004-wallets.ts';
import { verification } from './0005-verification.ts';
import { agents } from './0006-agents.ts';
import { tokens } from './0007-tokens.ts';
import { transactionTotals } from './0008-transaction-totals.ts';
import { dueWebhooks } from './0009-due-webhooks.ts';
import { roomForUpdates } from './0010-room-for-updates.ts';
import { fingerprints } from './0011-fingerprints.ts';
import { manyRows } from './0012-many-rows.ts';
import { deviceCodes } from './0013-device-codes.ts';
import { noIdentifiers } from './0014-no-identifiers.ts';
import { fundingReferences } from './0015-funding-references.ts';
import { shown } from './0017-shown.ts';
import { leases } from './0019-leases.ts';
import { lanes } from './0020-lanes.ts';
import { timerLooks } from './0021-timers.ts';
import { parkedWork } from './0022-parked-work.ts';
import { closings } from './0023-closings.ts';
import { clock } from './0024-clock.ts';
import { cutoffs } from './0025-cutoffs.ts';
import { decidedActions } from './0028-decided-actions.ts';
import { tokenRecords } from './0029-token-records.ts';
import { deletedTokens } from './0030-deleted-tokens.ts';
import { platformClocks } from './0033-platform-clocks.ts';
import { sandboxFaults } from './0034-sandbox-faults.ts';
import { runningBalances } from './0035-running-balances.ts';
import { followedLog } from './0037-followed-log.ts';
import { returnsAt } from './0038-returns-at.ts';
import { seededRuns } from './0042-seeded-runs.ts';
import { logTree } from './0044-log-tree.ts';
import { whereTheLogIs } from './0047-where-the-log-is.ts';
import { toldWebhooks } from './0049-told-webhooks.ts';
import { paymentsByStatus } from './0057-payments-by-status.ts';
import { snapshots } from './0058-snapshots.ts';
import { personKeyTable } from './0060-person-keys.ts';
import { erasures } from './0061-erasures.ts';
import { consoleSessions } from './0063-console-sessions.ts';
import { requestLog } from './0064-request-log.ts';
import { countedErasures } from './0065-counted-erasures.ts';
import { heldCredits } from './0066-held-credits.ts';
import { keptForATime } from './0068-kept-for-a-time.ts';
import { stoppedForAnAdvance } from './0069-stopped-for-an-advance.ts';
import { cameBack } from './0070-came-back.ts';
import { othersAtWork } from './0071-others-at-work.ts';
import { atWork } from './0072-at-work.ts';
import { uncompletedTransactions } from './0073-uncompleted-transactions.ts';
import { failedActions } from './0074-failed-actions.ts';
import { endsOfPayments } from './0075-ends-of-payments.ts';
import { sealedChoices } from './0076-sealed-choices.ts';
import { foundByAccount } from './0077-found-by-account.ts';
import { erasuresUnderWay } from './0078-erasures-under-way.ts';
import { destroyedKeys } from './0079-destroyed-keys.ts';
import { overQuotes } from './0080-over-quotes.ts';
import { laterAnswers } from './0081-later-answers.ts';
import { openAndDefault } from './0082-open-and-default.ts';
import { domainsAndChecks } from './0084-domains-and-checks.ts';
import { goneAfterMs, laterVersion, stepsTaken, untilNobodyUses } from './versions.ts';

const migrations = {
  '0001-books': books,
  '0002-operations': operations,
  '0003-webhooks': webhooks,
  '0004-wallets': wallets,
  '0005-verification': verification,
  '0006-agents': agents,
  '0007-tokens': tokens,
  '0008-transaction-totals': transactionTotals,
  '0009-due-webhooks': dueWebhooks,
  '0010-room-for-updates': roomForUpdates,
  '0011-fingerprints': fingerprints,
  '0012-many-rows': manyRows,
  '0013-device-codes': deviceCodes,
  '0014-no-identifiers': noIdentifiers,
  '0015-funding-references': fundingReferences,
  '0017-shown': shown,
  '0019-leases': leases,
  '0020-lanes': lanes,
  '0021-timers': timerLooks,
  '0022-parked-work': parkedWork,
  '0023-closings': closings,
  '0024-clock': clock,
  '0025-cutoffs': cutoffs,
  '0028-decided-actions': decidedActions,
  '0029-token-records': tokenRecords,
  '0030-deleted-tokens': deletedTokens,
  '0033-platform-clocks': platformClocks,
  '0034-sandbox-faults': sandboxFaults,
  '0035-running-balances': runningBalances,
  '0037-followed-log': followedLog,
  '0038-returns-at': returnsAt,
  '0042-seeded-runs': seededRuns,
  '0044-log-tree': logTree,
  '0047-where-the-log-is': whereTheLogIs,
  '0049-told-webhooks': toldWebhooks,
  '0057-payments-by-status': paymentsByStatus,
  '0058-snapshots': snapshots,
  '0060-person-keys': personKeyTable,
  '0061-erasures': erasures,
  '0063-console-sessions': consoleSessions,
  '0064-request-log': requestLog,
  '0065-counted-erasures': countedErasures,
  '0066-held-credits': heldCredits,
  '0068-kept-for-a-time': keptForATime,
  '0069-stopped-for-an-advance': stoppedForAnAdvance,
  '0070-came-back': cameBack,
  '0071-others-at-work': othersAtWork,
  '0072-at-work': atWork,
  '0073-uncompleted-transactions': uncompletedTransactions,
  '0074-failed-actions': failedActions,
  '0075-ends-of-payments': endsOfPayments,
  '0076-sealed-choices': sealedChoices,
  '0077-found-by-account': foundByAccount,
  '0078-erasures-under-way': erasuresUnderWay,
  '0079-destroyed-keys': destroyedKeys,
  '0080-over-quotes': overQuotes,
  '0081-later-answers': laterAnswers,
  '0082-open-and-default': openAndDefault,
  '0084-domains-and-checks': domainsAndChecks,
};

const migratorOf = (db: ReadDb): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: booksSchema,
  });

/**
 * Whether the tables are there, lack something that a service of this version adds when it starts, or have something
 * that a later one has added.
 */
export async function tablesOf(db: ReadDb): Promise<'none' | 'older' | 'current' | 'newer'> {
  const taken = await stepsTaken(db);
  if (taken.length === 0) return 'none';
  if (taken.some((step) => !(step in migrations))) return 'newer';
  return taken.length === Object.keys(migrations).length ? 'current' : 'older';
}

/** Throws `OtherVersion` where a later version has changed the tables. */
export async function requireKnownTables(db: ReadDb): Promise<void> {
  if ((await tablesOf(db)) === 'newer') throw laterVersion();
}

export type Changing = {
  /** So long the processes of an earlier version have to end, in milliseconds. */
  readonly waitMs?: number;
  /** Done once nobody uses the tables of an earlier version. Where it fails they stay as they are, and that version starts. */
  readonly first?: (() => Promise<void>) | undefined;
};

/** Whether there are steps to take, once nobody uses tables that are to be changed. Throws as `migrateBooks` does. */
async function needChange(db: ReadDb, { waitMs = goneAfterMs, first }: Changing): Promise<boolean> {
  const tables = await tablesOf(db);
  if (tables === 'newer') throw laterVersion();
  if (tables !== 'older') return tables === 'none';
  await untilNobodyUses(db, async () => (await tablesOf(db)) === 'older', waitMs);
  if ((await tablesOf(db)) === 'current') return false;
  await first?.();
  return true;
}

/**
 * Brings the tables up to date, and the auditors' views of them, where there are auditors. Safe at every start and from
 * many processes at once. Throws `OtherVersion`, and changes nothing, where they are those of a later version, or
 * processes of an earlier one do not end in time.
 */
export async function migrateBooks(db: ReadDb, changing: Changing = {}): Promise<void> {
  if (await needChange(db, changing)) {
    await dropAuditorViews(db);
    const { error } = await migratorOf(db).migrateToLatest();
    if (error) throw error;
  }
  await refreshAuditorViews(db);
}
