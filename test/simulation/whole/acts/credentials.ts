/** Further ways into a wallet, by a passkey and by an identity provider: added, used and revoked, which ends what they opened. */
import { registration, site } from '../../../support/wallets/passkeys.ts';
import { softwareAuthenticator } from '../../../support/wallets/software-authenticator.ts';
import { newClientKey } from '../../../support/wallets/wallet-client.ts';
import { sessionOf } from '../../../support/wallets/wallets.ts';
import type { Random } from '../../random.ts';
import { type Backends, isBehind, type PlatformNumber, platformNumbers } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import type { AllHoldings, Customer, FurtherCredential, Missed, Session, Wallet } from './holdings.ts';
import { type Headers, signed, withSignature } from './wallets.ts';

/** Of a wallet. */
const furtherMax = 2;

type Deps = { readonly random: Random; readonly holdings: AllHoldings; readonly missed: Missed[] };
type Proof = { readonly body: object; readonly headers?: Headers };

export function credentialsOf({ ask, post, read }: Backends, { random, holdings, missed }: Deps) {
  const wallets = (by: PlatformNumber, isUsable: (wallet: Wallet) => boolean): readonly Customer[] =>
    holdings[by].customers.filter(({ wallet }) => isUsable(wallet));
  /** By the first credential: another one is added and revoked with its signature. */
  const firstSession = ({ sessions, credential }: Wallet): Session | undefined =>
    random.pick(sessions.filter((one) => one.credential === credential));

  const tokenFor = async (by: PlatformNumber, subject: string) =>
    (await post(by, '/sandbox/oidc/token', { subject }))?.body?.oidcToken as string | undefined;
  /** What shows that somebody may use the credential. */
  const proofOf = async (
    by: PlatformNumber,
    { id, subject, authenticator }: FurtherCredential,
    clientPublicKey: string,
  ): Promise<Proof | undefined> => {
    if (!authenticator) {
      const oidcToken = await tokenFor(by, subject);
      return oidcToken === undefined ? undefined : { body: { oidcToken, clientPublicKey } };
    }
    const asked = await post(by, `/auth/credentials/${id}/challenge`, { clientPublicKey });
    if (asked?.status !== 200) return undefined;
    const { challenge, requestId } = asked.body;
    return { body: { assertion: authenticator.get(challenge) }, headers: { 'request-id': requestId } };
  };
  const open = (by: PlatformNumber, id: string, { body, headers = {} }: Proof): Promise<Answer | undefined> =>
    post(by, `/auth/credentials/${id}/verify`, body, { headers });

  const add = async (by: PlatformNumber) => {
    const customer = random.pick(wallets(by, ({ further }) => further.length < furtherMax));
    const session = customer && firstSession(customer.wallet);
    if (!session) return;
    const { wallet } = customer;
    const subject = `subject-${random.below(2 ** 40)}`;
    const authenticator = random.chance(0.5) ? softwareAuthenticator(site) : undefined;
    const oidcToken = authenticator ? undefined : await tokenFor(by, subject);
    if (!authenticator && !oidcToken) return;
    const way = authenticator ? registration(authenticator) : { type: 'OAUTH', oidcToken };
    const body = { accountId: wallet.account, ...way };
    const made = await withSignature(session, (headers) => post(by, '/auth/credentials', body, { headers }));
    if (made?.status !== 201) return;
    const { id } = made.body;
    wallet.further.push({ id, subject, authenticator });
    const seen = await read(by, `/auth/credentials?accountId=${wallet.account}`);
    const isThere = (seen?.body?.data ?? []).some((one: { id: string }) => one.id === id);
    const isKept = wallet.further.some((one) => one.id === id);
    if (seen?.status === 200 && !isThere && isKept && !isBehind(made))
      missed.push({ path: id, rule: 'who has written reads it' });
  };
  const signIn = async (by: PlatformNumber) => {
    const customer = random.pick(wallets(by, ({ further }) => further.length > 0));
    const credential = customer && random.pick(customer.wallet.further);
    if (!credential) return;
    const key = newClientKey();
    const proof = await proofOf(by, credential, key.publicKey);
    const begun = proof && (await open(by, credential.id, proof));
    if (begun?.status !== 200) return;
    customer.wallet.sessions.push({
      ...(await sessionOf(begun.body, key.privateKey)),
      credential: credential.id,
    });
  };
  /** With it goes what it has opened: a session that it began signs nothing, and it begins none. */
  const revoke = async (by: PlatformNumber) => {
    const customer = random.pick(wallets(by, ({ further }) => further.length > 0));
    const credential = customer && random.pick(customer.wallet.further);
    const session = customer && firstSession(customer.wallet);
    if (!credential || !session) return;
    const { wallet } = customer;
    const opened = wallet.sessions.find((one) => one.credential === credential.id);
    const path = `/internal-accounts/${wallet.account}`;
    const hide = (headers: Headers = {}) =>
      ask({ by, method: 'PATCH', path, body: { privateEnabled: true }, headers });
    const late = opened && signed(opened, await hide());
    const end = (headers: Headers) =>
      ask({ by, method: 'DELETE', path: `/auth/credentials/${credential.id}`, headers });
    const gone = await withSignature(session, end);
    if (gone?.status !== 204) return;
    wallet.further.splice(wallet.further.indexOf(credential), 1);
    wallet.sessions = wallet.sessions.filter((one) => one.credential !== credential.id);
    holdings[by].revoked.push(credential);
    const done = late && (await hide(late));
    if (done && done.status < 300)
      missed.push({ path: credential.id, rule: 'a session that was revoked signs nothing' });
  };
  /** Whoever kept one that was revoked comes back once all is over. */
  const tryAllRevoked = async () => {
    for (const by of platformNumbers)
      for (const credential of holdings[by].revoked) {
        const proof = await proofOf(by, credential, newClientKey().publicKey);
        const begun = proof && (await open(by, credential.id, proof));
        if (begun && begun.status < 300)
          missed.push({ path: credential.id, rule: 'a credential that was revoked opens nothing' });
      }
  };
  return { add, signIn, revoke, tryAllRevoked };
}
