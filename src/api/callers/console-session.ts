/**
 * The session of the console in a request: a cookie that scripts cannot read, which counts only beside a header that no
 * other site can send.
 */
import { Rejected, unauthorized } from '../../kernel/rejected.ts';
import { type ConsoleSessions, sessionMaxMs } from '../../use-cases/console/sessions.ts';

export const consoleHeader = 'X-Daybook-Console';
const cookieName = 'daybook_console';
const inCookies = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{43})(?:;|$)`);

type Header = (name: string) => string | undefined;

export const isFromConsole = (header: Header): boolean => header(consoleHeader) === '1';

/** Nothing where the request is not the console's. Throws `Rejected` (403) where a browser says that another site asks. */
export function sessionIn(header: Header): string | undefined {
  if (!isFromConsole(header)) return undefined;
  const secret = inCookie(header);
  if (secret !== undefined) refuseOtherSites(header);
  return secret;
}

const inCookie = (header: Header): string | undefined => inCookies.exec(header('cookie') ?? '')?.[1];

/** Whether there is a cookie, which alone is nobody's. */
export const hasSessionCookie = (header: Header): boolean => inCookie(header) !== undefined;

/** Throws `Rejected` (403) where a browser says that another site asks. */
export function refuseOtherSites(header: Header): void {
  const site = header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new Rejected('FORBIDDEN', 'Only pages of the console may use its session.');
}

/** Throws `Rejected` with UNAUTHORIZED for a session that is not known, or has ended. */
export async function requireSession(sessions: Pick<ConsoleSessions, 'find'>, secret: string) {
  const session = await sessions.find(secret);
  if (!session) throw unauthorized('The session of the console has ended: sign in again.');
  return session;
}

const attributes = 'HttpOnly; SameSite=Strict; Path=/';

export const cookieOf = (secret: string): string =>
  `${cookieName}=${secret}; ${attributes}; Max-Age=${sessionMaxMs / 1_000}`;

export const noCookie = `${cookieName}=; ${attributes}; Max-Age=0`;
