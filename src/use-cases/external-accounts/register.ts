import { withBankName } from '../../domain/external-accounts/bank-names.ts';
import { identityOf, requireHeldBy } from '../../domain/external-accounts/definitions.ts';
import {
  alreadyRegistered,
  type ExternalAccountDetails,
  type RegisteredExternalAccount,
} from '../../domain/external-accounts/external-account.ts';
import { externalAccountStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { type ExternalAccountId, idOf, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { stillThere } from '../customers/while-there.ts';
import { sameRequest, takeName } from '../names.ts';
import { type BoundedRail, RailAway } from '../payments/rail-payments/bounded-rail.ts';
import { requireCheckDigits } from './check-digits.ts';

export type RegistrationDeps = {
  readonly commands: Commands;
  readonly now: () => Date;
  readonly sealer: Pick<Sealer, 'fingerprint'>;
  readonly rail: Pick<BoundedRail, 'checkName' | 'statusOfNew' | 'isOwnAccount'>;
};

type Registration = Pick<
  ExternalAccountDetails,
  'customerId' | 'currency' | 'accountInfo' | 'defaultUmaDepositAccount'
> & {
  readonly platformAccountId?: string | undefined;
  readonly ownershipType?: string | undefined;
};

/**
 * Registers an account for a customer, or for the platform itself. An owner has the same account once. Throws `Rejected`
 * (410) where the customer is deleted.
 */
export async function registerExternalAccount(
  { commands, now, rail, sealer }: RegistrationDeps,
  platformId: PlatformId,
  asked: Registration,
  attempt: Attempt,
): Promise<RegisteredExternalAccount> {
  const { uuidFor } = attempt;
  const { customerId, currency, accountInfo, platformAccountId, ownershipType } = asked;
  requireHeldBy(accountInfo.accountType, currency);
  requireCheckDigits(accountInfo, rail.isOwnAccount(accountInfo));
  const verification = await rail.checkName(accountInfo).catch(unanswered);
  const status = await rail.statusOfNew(accountInfo).catch(unanswered);
  const cause = await stillThere(commands, customerId, attempt.cause);
  const at = now();
  const uuid = uuidFor('external-account');
  const externalAccountId = idOf('ExternalAccount', uuid);
  const owner = customerId ?? platformId;
  const identifier = identityOf(accountInfo);
  const reservation = externalAccountStream(platformId, owner, accountInfo.accountType, identifier);
  const request = sameRequest(sealer, attempt, ['external account', platformId, asked]);
  const wanted = { holder: externalAccountId, request, at, taken: alreadyRegistered };
  await takeName(commands, { reservation }, wanted, cause);
  const details: ExternalAccountDetails = {
    platformId,
    externalAccountId,
    customerId,
    platformAccountId,
    currency,
    accountInfo: withBankName(accountInfo),
    ownershipType,
    reservation,
    // Only customers are paid at addresses: the platform's own account is nobody's default.
    defaultUmaDepositAccount: customerId !== null && asked.defaultUmaDepositAccount,
    status,
    verification,
    at,
  };
  const command = { type: 'CreateExternalAccount', details } as const;
  const { state } = await commands.run('externalAccount', uuid, command, cause);
  invariant(state.kind === 'registered', 'registered an account that is not there');
  return state;
}

const retryAfterSeconds = 5;

/** An account is not registered unchecked: whoever asks again later may have an answer. */
function unanswered(error: unknown): never {
  if (!(error instanceof RailAway)) throw error;
  const message = `The account could not be checked just now. Send the request again in ${retryAfterSeconds} seconds.`;
  throw new Rejected('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

/** Its payments stay readable. */
export async function removeExternalAccount(
  { commands, now }: Pick<RegistrationDeps, 'commands' | 'now'>,
  id: ExternalAccountId,
  cause: Cause,
): Promise<void> {
  await commands.run('externalAccount', uuidOf(id), { type: 'DeleteExternalAccount', at: now() }, cause);
}
