import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { booksSchema } from '../../../src/infrastructure/postgres/pool.ts';
import { isDeadlock, isRefusedWith } from '../../../src/infrastructure/postgres/violations.ts';
import { invariant } from '../../../src/kernel/invariant.ts';
import type { WriteDb } from '../../database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../../kept/checkpoints.ts';
import { holdShadow, type Shadow, swapTables } from './shadow-tables.ts';

const attemptsMax = 10;
const pauseMs = 200;
/** Long enough for an autovacuum to make way. */
const lockTimeoutMs = 5_000;
/** Whoever is stopped in between has changed nothing, and holds up neither the projector nor those who read. */
const idleTimeoutMs = 10_000;

/**
 * Puts the tables in the place of the live ones, in one transaction in which nobody else moves the checkpoint. The
 * projector may wait for the checkpoint while it holds its tables, or the other way round: where the two meet, one of
 * them begins again. `catchUp` is called anew in each attempt.
 */
export async function swap(
  shadow: Shadow,
  catchUp: (transaction: WriteDb, reached: bigint) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await shadow.db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
        await sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleTimeoutMs)}`.execute(
          transaction,
        );
        await sql`set local synchronous_commit = on`.execute(transaction);
        await holdShadow(shadow, transaction);
        const reached = await loadCheckpoint(transaction, projectionsCheckpoint, 'for update');
        invariant(reached !== undefined, 'the read models have lost their checkpoint');
        const live = sql.join(shadow.tables.map((table) => sql.id(booksSchema, table)));
        // Those who read go on.
        await sql`lock table ${live} in exclusive mode`.execute(transaction);
        await catchUp(transaction, reached);
        await swapTables(shadow, transaction);
      });
      return;
    } catch (error) {
      if (attempt === attemptsMax || !isInTheWay(error)) throw error;
      await sleep(pauseMs);
    }
  }
}

const lockNotAvailable = '55P03';

const isInTheWay = (error: unknown): boolean => isDeadlock(error) || isRefusedWith(error, lockNotAvailable);
