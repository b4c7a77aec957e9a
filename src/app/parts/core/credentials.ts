/** What callers show for themselves: platforms, their agents, and who sits at the console. */

import type { Log } from '../../../infrastructure/observe/log.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { type AgentCredentials, agentCredentials } from '../../../use-cases/agents/credentials.ts';
import { createRedemptions, type Redemptions } from '../../../use-cases/agents/redemptions.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { type ConsoleSessions, createConsoleSessions } from '../../../use-cases/console/sessions.ts';
import { createTokenRecords, type TokenRecords } from '../../../use-cases/tokens/records.ts';
import { createTokens, type Tokens } from '../../../use-cases/tokens/tokens.ts';
import type { ShownLog } from './shown-log.ts';
import type { Stores } from './stores.ts';

export type CallersCredentials = {
  readonly tokens: Tokens;
  /** What the log is told of them. */
  readonly tokenRecords: TokenRecords;
  readonly agentCredentials: AgentCredentials;
  readonly redemptions: Redemptions;
  readonly consoleSessions: ConsoleSessions;
};

type Deps = Pick<Stores, 'pool' | 'readDb'> &
  Pick<ShownLog, 'sealer' | 'moved'> & {
    readonly commands: Commands;
    readonly ids: Ids;
    readonly installationNow: () => Date;
    readonly log: Log;
  };

export function openCredentials({
  pool,
  readDb,
  sealer,
  moved,
  commands,
  ids,
  installationNow: now,
  log,
}: Deps): CallersCredentials {
  const tokenRecords = createTokenRecords({ commands, now, log });
  const tokens = createTokens(readDb, tokenRecords, moved?.beside);
  return {
    tokens,
    tokenRecords,
    agentCredentials: agentCredentials(pool, sealer, ids.seeded),
    redemptions: createRedemptions(pool, sealer),
    consoleSessions: createConsoleSessions({ pool, findToken: tokens.find, now }),
  };
}
