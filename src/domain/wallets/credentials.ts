/** What changes a wallet's credentials. */

import type { AuthMethodId } from '../../kernel/ids.ts';
import type { Command } from './commands.ts';
import type { AuthorisedBy, WalletEvent } from './events.ts';
import { requireNew, requireSameCredentials } from './rules.ts';
import { signed } from './signed-requests.ts';
import { liveSessions, type Wallet } from './state.ts';

/** The first credential of a wallet needs no signature: there is no key yet that could sign. */
export function addCredential(command: Command<'AddCredential'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, credential, code, leg, at } = command;
  const { credentialId } = credential;
  const rule = () => requireNew(state, credential.identity);
  const added = (authorisedBy?: AuthorisedBy) => {
    const data = { platformId, accountId, ...credential, ...(authorisedBy && { authorisedBy }), at };
    const events: WalletEvent[] = [{ type: 'CredentialAdded', data }];
    if (code) events.push({ type: 'OneTimeCodeIssued', data: { accountId, credentialId, ...code, at } });
    return events;
  };
  if (state.credentials.size > 0 || leg.kind === 'stamped')
    return signed(command, state, 'addCredential', accountId, { rule, effect: added });
  rule();
  return added();
}

/** The credentials that codes are mailed for. */
export const emailCredentials = (state: Wallet): readonly AuthMethodId[] =>
  [...state.credentials.values()].filter(({ identity }) => identity.type === 'EMAIL_OTP').map(({ id }) => id);

/**
 * Who reads the former address may have begun sessions: they end with it. The one that has signed goes on, as its key was
 * just shown to be in the right hands.
 */
export function changeEmail(command: Command<'ChangeCustomerEmail'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, customerId, email, leg, at } = command;
  const current = emailCredentials(state);
  const ordinal = state.emailChanges + 1;
  const asked = leg.kind === 'stamped' ? state.requests.get(leg.requestId)?.affected : current;
  return signed(command, state, 'updateCustomer', customerId, {
    affected: current,
    rule: () => requireSameCredentials(current, asked),
    effect: (authorisedBy) => [
      {
        type: 'CustomerEmailChanged',
        data: {
          platformId,
          accountId,
          customerId,
          credentialIds: [...current],
          email,
          ordinal,
          authorisedBy,
          at,
        },
      },
      ...liveSessions(state, at)
        .filter(({ id, credentialId }) => current.includes(credentialId) && id !== authorisedBy.sessionId)
        .map(({ id: sessionId }) => ({
          type: 'SessionRevoked' as const,
          data: { accountId, sessionId, authorisedBy, at },
        })),
    ],
  });
}
