import type { ReadDb } from '../../../../projections/database.ts';
import { findApiToken } from '../../../../projections/kept/api-tokens.ts';
import { unauthorized } from '../../../kernel/rejected.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import type { ConsoleSession, ConsoleSessions } from '../../../use-cases/console/sessions.ts';
import { loadPlatform } from '../../../use-cases/find/platform.ts';
import type { Tokens } from '../../../use-cases/tokens/tokens.ts';
import { requireToken } from '../../callers/authenticate.ts';
import {
  consoleHeader,
  cookieOf,
  hasSessionCookie,
  noCookie,
  refuseOtherSites,
  requireSession,
  sessionIn,
} from '../../callers/console-session.ts';
import { type Route, route } from '../../operation.ts';
import { createConsoleSession, deleteConsoleSession, getConsoleSession } from './operations.ts';

type Deps = {
  readonly consoleSessions: ConsoleSessions;
  readonly tokens: Pick<Tokens, 'find'>;
  readonly commands: Commands;
  readonly readDb: ReadDb;
};

export function consoleSessionRoutes({ consoleSessions, tokens, commands, readDb }: Deps): readonly Route[] {
  const rendered = async ({ principal, tokenId, expiresAt }: ConsoleSession) => {
    const { platformId, environment, permissions } = principal;
    const [{ umaDomain }, token] = await Promise.all([
      loadPlatform(commands, platformId),
      findApiToken(readDb, { platformId, environment }, tokenId),
    ]);
    if (!token) throw unauthorized('The API token has been deleted.');
    return {
      platformId,
      platformName: umaDomain,
      tokenId,
      tokenName: token.name,
      permissions: [...permissions],
      environment: environment === 'sandbox' ? ('SANDBOX' as const) : ('PRODUCTION' as const),
      expiresAt: expiresAt.toISOString(),
    };
  };

  return [
    route(createConsoleSession, async ({ body, header }) => {
      refuseOtherSites(header);
      const token = await requireToken(tokens.find, { clientId: body.clientId, secret: body.clientSecret });
      const session = await consoleSessions.begin(token);
      return { status: 201, body: await rendered(session), cookie: cookieOf(session.secret) };
    }),
    route(getConsoleSession, async ({ header }) => {
      const secret = sessionIn(header);
      if (secret === undefined) throw unauthorized('Nobody is signed in at the console.');
      return { status: 200, body: await rendered(await requireSession(consoleSessions, secret)) };
    }),
    route(deleteConsoleSession, async ({ header }) => {
      const secret = sessionIn(header);
      if (secret !== undefined) await consoleSessions.end(secret);
      else if (hasSessionCookie(header))
        throw unauthorized(`The session is ended by its cookie and ${consoleHeader}.`);
      return { status: 204, cookie: noCookie };
    }),
  ];
}
