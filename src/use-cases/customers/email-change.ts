/**
 * A new e-mail address of a customer whose wallet has an EMAIL_OTP credential: the customer's address and that of the
 * credential, whichever it had, change together, once a session of the wallet has signed for it.
 */
import type { ReadDb } from '../../../projections/database.ts';
import { isEmailOfAnotherWallet } from '../../../projections/models/wallets.ts';
import { walletAccount } from '../../domain/accounts/provisioning.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { walletEmailStream } from '../../domain/reservations/reservation.ts';
import { emailCredentials } from '../../domain/wallets/credentials.ts';
import { requireSameCredentials } from '../../domain/wallets/rules.ts';
import type { SignatureRequest } from '../../domain/wallets/state.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { takeName } from '../names.ts';
import { type CheckedLeg, checkLeg, runLeg, type Signing, type WalletOf } from '../wallets/signing.ts';

export type EmailChangeDeps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly sealer: Pick<Sealer, 'fingerprint'>;
  readonly now: () => Date;
};

export type EmailChange = {
  readonly email: string;
  readonly wallet: WalletOf;
  readonly leg: CheckedLeg;
};

/**
 * The change that needs a signature; undefined for any other update. A request with the headers of a signature is one
 * whatever the wallet has become since: its challenge decides. Throws `Rejected` (401) for one that is not signed as it
 * has to be.
 */
export async function emailChangeOf(
  { commands, now }: Pick<EmailChangeDeps, 'commands' | 'now'>,
  request: Pick<Signing, 'signature' | 'uuidFor'>,
  { platformId, customerId, walletCurrency, email: current }: KnownCustomer,
  body: { readonly email?: string | undefined },
): Promise<EmailChange | undefined> {
  const { email } = body;
  if (email === undefined || walletCurrency === undefined) return undefined;
  const accountId = walletAccount(customerId, walletCurrency);
  const state = await commands.load('wallet', uuidOf(accountId));
  const { stamp, requestId } = request.signature;
  const isUnsigned = stamp === undefined && requestId === undefined;
  if (isUnsigned && (email === current || emailCredentials(state).length === 0)) return undefined;
  const wallet = { platformId, accountId, state };
  // The whole body: what is signed is all of the update.
  const subject = { operation: 'updateCustomer', target: customerId, body } as const;
  return { email, wallet, leg: checkLeg({ now }, request, wallet, subject) };
}

const addressTaken = {
  code: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
  message: 'Codes of another wallet go to this e-mail address already.',
} as const;

/**
 * Does what a leg asks for, where everything that the wallet knows of allows it. On the second leg nobody else can take the
 * address meanwhile, nor in the minute after it, in which the read model comes to show who has it. Throws `Rejected` (409)
 * where the credentials have changed or the address is taken.
 */
export async function whileFree<T>(
  { commands, readDb, sealer }: Pick<EmailChangeDeps, 'commands' | 'readDb' | 'sealer'>,
  { cause, uuidFor }: Pick<Signing, 'cause' | 'uuidFor'>,
  { customerId: holder }: KnownCustomer,
  { email, wallet: { platformId, accountId, state }, leg: { request, at } }: EmailChange,
  work: () => Promise<T>,
): Promise<T> {
  if (request) requireSameCredentials(emailCredentials(state), request.affected);
  const { mac } = sealer.fingerprint(email.toLowerCase(), 'wallet-email');
  const reservation = walletEmailStream(platformId, Buffer.from(mac).toString('base64url'));
  const held = { holder, claim: uuidFor('email'), at };
  if (request) await takeName(commands, { reservation }, { ...held, taken: addressTaken }, cause);
  try {
    if (await isEmailOfAnotherWallet(readDb, platformId, email, accountId))
      throw new Rejected(addressTaken.code, addressTaken.message);
    return await work();
  } catch (error) {
    // What became of the change is known after a refusal only; otherwise the hold runs out by itself.
    if (request && error instanceof Rejected)
      await commands.run('reservation', reservation, { type: 'ReleaseName', ...held }, cause);
    throw error;
  }
}

/** How many changes of the e-mail address the customer's wallet has signed, where the address is to change without. */
export async function signedChangesOf(
  commands: Commands,
  { customerId, walletCurrency }: KnownCustomer,
  { email }: { readonly email?: string | undefined },
): Promise<number | undefined> {
  if (email === undefined || walletCurrency === undefined) return undefined;
  return (await commands.load('wallet', uuidOf(walletAccount(customerId, walletCurrency)))).emailChanges;
}

/** The challenge on the first leg; undefined once both addresses have changed. */
export async function changeEmail(
  { commands }: Pick<EmailChangeDeps, 'commands'>,
  request: Pick<Signing, 'cause'>,
  { customerId }: KnownCustomer,
  { email, wallet, leg }: EmailChange,
): Promise<SignatureRequest | undefined> {
  const command = { type: 'ChangeCustomerEmail', customerId, email } as const;
  const outcome = await runLeg({ commands }, request, wallet, leg, command);
  return outcome.challenge;
}
