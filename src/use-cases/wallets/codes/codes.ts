/** Sending a one-time code and checking one. */

import { WrongRevision } from '../../../infrastructure/event-store/event-store.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Principal } from '../../caller.ts';
import type { Commands } from '../../commands.ts';
import { loadPlatform } from '../../find/platform.ts';
import { codeMail } from './code-mail.ts';
import type { MailOutbox } from './mail.ts';
import { drawCode, type OneTimeCodes } from './one-time-codes.ts';

/** The only code that the sandbox takes, whatever was mailed. */
const sandboxCode = '000000';

export type CodeDeps = {
  readonly commands: Commands;
  readonly codes: OneTimeCodes;
  readonly emails: MailOutbox;
  readonly now: () => Date;
};

export type WrittenCode = { readonly codeId: string; readonly expiresAt: Date };

/**
 * Draws a code and writes its mail, which leaves once the log has the event. Throws `Rejected` (501) where nobody could
 * get the mail.
 */
export async function writeCode(
  { commands, codes, emails, now }: CodeDeps,
  principal: Principal,
  to: string,
  codeId: string,
): Promise<WrittenCode> {
  const { platformId, environment } = principal;
  requireReachable(emails, principal);
  const platform = await loadPlatform(commands, principal.platformId);
  const { embeddedWalletConfig } = platform;
  const lifetimeMs = embeddedWalletConfig.expirationSeconds * 1000;
  const expiresAt = new Date(now().getTime() + lifetimeMs);
  const code = drawCode(embeddedWalletConfig);
  await codes.keep(codeId, code, lifetimeMs);
  await emails.write({
    id: codeId,
    platformId,
    environment,
    mail: codeMail(platform, to, code),
    expiresAt,
  });
  return { codeId, expiresAt };
}

/** Takes the mail back where the event did not come for certain; where that is not known, it may have to leave. */
export const discarding =
  (emails: MailOutbox, code: WrittenCode | undefined) =>
  async (error: unknown): Promise<never> => {
    const isRefused = error instanceof Rejected || error instanceof WrongRevision;
    if (code && isRefused) await emails.discard(code.codeId);
    throw error;
  };

export function requireReachable(emails: MailOutbox, { environment }: Principal): void {
  if (emails.canReach(environment)) return;
  throw new Rejected(
    'NOT_IMPLEMENTED',
    'This installation sends no mail: the operator has not set SMTP_URL.',
  );
}

/** Whether the code is the one that was issued under this id. */
export const isCode = (
  { codes }: Pick<CodeDeps, 'codes'>,
  { environment }: Principal,
  codeId: string,
  otp: string,
): Promise<boolean> =>
  environment === 'sandbox' ? Promise.resolve(otp === sandboxCode) : codes.matches(codeId, otp);
