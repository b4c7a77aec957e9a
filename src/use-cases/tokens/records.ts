/**
 * What the log is told of API tokens: who got one, who deleted it, and on which days it was used. The table of tokens
 * says what works; what the log does not have of it yet is written later.
 */

import type { ReadDb } from '../../../projections/database.ts';
import { markRecorded, unrecordedTokens } from '../../../projections/kept/api-tokens.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import { rememberNewest } from '../../infrastructure/remembered/newest.ts';
import { eachOf } from '../../kernel/each-of.ts';
import { type TokenId, uuidOf } from '../../kernel/ids.ts';
import { dayOf } from '../../kernel/moments.ts';
import type { Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { tokenOfActor } from './living.ts';

/** Tokens whose use on the day is known to have been noted. */
const notedMax = 10_000;

type Use = {
  readonly id: TokenId;
  readonly principal: Pick<Principal, 'platformId' | 'actor'>;
  readonly at: Date;
};

export type TokenRecords = {
  /** Writes what the log does not have of a token, and throws where it cannot. */
  readonly record: (db: ReadDb, id: TokenId, cause: Cause) => Promise<void>;
  /** The same; where the log does not take it now, it is left to `recordAll`. */
  readonly recordLater: (db: ReadDb, id: TokenId, cause: Cause) => Promise<void>;
  /** What was left to do, of all tokens. */
  readonly recordAll: (db: ReadDb) => Promise<void>;
  /** Notes that a token was used. Takes no time: nothing is written here. */
  readonly used: (principal: Use['principal']) => void;
  /** Writes what was noted: at most one event for each token and day, whatever the number of processes. */
  readonly recordUse: () => Promise<void>;
};

type Deps = { readonly commands: Commands; readonly now: () => Date; readonly log: Log };

export function createTokenRecords({ commands, now, log }: Deps): TokenRecords {
  const noted = rememberNewest<string, string>(notedMax);
  /** By token and day: that of a day stays until it is written, though the token is used on the next one by then. */
  const uses = new Map<string, Use>();

  const recordEach = async (db: ReadDb, id: TokenId | undefined, cause?: Cause) => {
    await eachOf(await unrecordedTokens(db, id), async (row) => {
      const { platform_id: platformId, changed_by } = row;
      const by = cause ?? { ...beside, platformId, actor: changed_by ?? beside.actor };
      await commands.run('token', uuidOf(row.id), { type: 'RecordToken', token: keptToken(row) }, by);
      await markRecorded(db, row.id, row.updated_at);
    });
  };
  const record = (db: ReadDb, id: TokenId, cause: Cause) => recordEach(db, id, cause);

  return {
    record,
    recordLater: (db, id, cause) =>
      record(db, id, cause).catch((err) => {
        log.warn({ err, tokenId: id }, 'a token was not recorded in the log; trying again');
      }),
    recordAll: (db) => recordEach(db, undefined),
    used(principal) {
      const at = now();
      const day = dayOf(at);
      if (noted.get(principal.actor) === day) return;
      const id = tokenOfActor(principal.actor);
      if (id) uses.set(`${id} ${day}`, { id, principal, at });
      noted.set(principal.actor, day);
    },
    async recordUse() {
      await eachOf([...uses], async ([key, { id, principal, at }]) => {
        const { platformId, actor } = principal;
        const command = { type: 'UseToken', at } as const;
        await commands.run('token', uuidOf(id), command, { ...beside, platformId, actor });
        uses.delete(key);
      });
    },
  };
}

/** What no request asked for. Who changed a token is not known where a former version did. */
const beside = { correlationId: 'tokens', causationId: 'tokens', actor: 'upgrade' };

type Row = Awaited<ReturnType<typeof unrecordedTokens>>[number];

const keptToken = (row: Row) => ({
  platformId: row.platform_id,
  tokenId: row.id,
  name: row.name,
  clientId: row.client_id,
  permissions: row.permissions,
  environment: row.environment,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});
