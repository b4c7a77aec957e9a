/** What customers do with their wallets: they sign in on a device, and every payment has a stamp by the key of their session. */
import { p256 } from '@noble/curves/nist.js';
import { quoteBody } from '../../../support/resources/flows.ts';
import { encodeStamp, newClientKey, stampScheme } from '../../../support/wallets/wallet-client.ts';
import { sessionOf } from '../../../support/wallets/wallets.ts';
import type { Random } from '../../random.ts';
import type { Backends, PlatformNumber } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import type { AllHoldings, Customer, Missed, Session } from './holdings.ts';

const fundedMax = 20_000_000;
const amountMax = 3_000_000;

/** By a signer that follows from the text, so that the same life has the same stamps. */
function stamp({ privateKey }: Session, payloadToSign: string): string {
  const secret = Uint8Array.from(Buffer.from(privateKey, 'hex'));
  const signature = p256.sign(Buffer.from(payloadToSign), secret, { format: 'der', lowS: false });
  return encodeStamp({
    publicKey: Buffer.from(p256.getPublicKey(secret)).toString('hex'),
    scheme: stampScheme,
    signature: Buffer.from(signature).toString('hex'),
  });
}

export type Headers = Readonly<Record<string, string>>;

/** What answers a challenge; nothing where there was none. */
export function signed(session: Session, challenge: Answer | undefined): Headers | undefined {
  if (challenge?.status !== 202) return undefined;
  const { payloadToSign, requestId } = challenge.body;
  return { 'service-wallet-signature': stamp(session, payloadToSign), 'request-id': requestId };
}

/** What a session is asked for is done with its signature. */
export async function withSignature(
  session: Session,
  call: (headers: Headers) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const headers = signed(session, await call({}));
  return headers && (await call(headers));
}

type Deps = {
  readonly random: Random;
  readonly holdings: AllHoldings;
  readonly missed: Missed[];
  /** Notes what a payment was answered with. */
  readonly paid: (by: PlatformNumber, made: Answer | undefined) => Promise<void>;
};

export function walletsOf({ ask, post, untilShown }: Backends, { random, holdings, missed, paid }: Deps) {
  const someone = (by: PlatformNumber): Customer | undefined => random.pick(holdings[by].customers);
  const someSession = (by: PlatformNumber) => {
    const customer = someone(by);
    const session = customer && random.pick(customer.wallet.sessions);
    return session && { wallet: customer.wallet, session };
  };

  const fund = async (by: PlatformNumber, customer = someone(by)) => {
    const amount = 1 + random.below(fundedMax);
    if (customer) await post(by, `/sandbox/internal-accounts/${customer.wallet.account}/fund`, { amount });
  };
  /** The first credential needs no signature. */
  const register = async (by: PlatformNumber, { wallet }: Customer) => {
    const made = await post(by, '/auth/credentials', { accountId: wallet.account, type: 'EMAIL_OTP' });
    if (made?.status !== 201) return;
    await untilShown(made);
    wallet.credential = made.body.id;
  };
  const signIn = async (by: PlatformNumber, customer = someone(by)) => {
    if (!customer) return;
    const { wallet } = customer;
    if (!wallet.credential) await register(by, customer);
    if (!wallet.credential) return;
    const path = `/auth/credentials/${wallet.credential}`;
    const asked = await post(by, `${path}/challenge`);
    if (asked?.status !== 200) return;
    const key = newClientKey();
    const begun = await post(by, `${path}/verify`, { otp: '000000', clientPublicKey: key.publicKey });
    if (begun?.status !== 200) return;
    wallet.sessions.push({
      ...(await sessionOf(begun.body, key.privateKey)),
      credential: wallet.credential,
    });
    // Whoever has seen the code over a shoulder is too late.
    if (random.chance(0.5))
      await post(by, `${path}/verify`, { otp: '000000', clientPublicKey: newClientKey().publicKey });
  };
  const pay = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers.filter(({ wallet }) => wallet.sessions.length > 0));
    const payee = holdings[by].external.find(({ owner }) => owner === customer?.id);
    if (!customer || !payee) return;
    const { wallet } = customer;
    const body = quoteBody(wallet.account, payee.id, { lockedCurrencyAmount: 1 + random.below(amountMax) });
    const quote = await post(by, '/quotes', body);
    if (quote?.status !== 201) return;
    await paid(by, quote);
    const payload: string = quote.body.paymentInstructions[0].accountOrWalletInfo.payloadToSign;
    const session = random.pick(wallet.sessions);
    if (!session) return;
    const headers = { 'service-wallet-signature': stamp(session, payload) };
    await post(by, `/quotes/${quote.body.id}/execute`, undefined, { headers });
  };
  /** A session ends itself, with its last signature; what it signs afterwards is refused, by whichever process. */
  const signOut = async (by: PlatformNumber) => {
    const found = someSession(by);
    if (!found) return;
    const { wallet, session } = found;
    const end = (headers: Headers = {}) =>
      ask({ by, method: 'DELETE', path: `/auth/sessions/${session.id}`, headers });
    const [first, second] = [signed(session, await end()), signed(session, await end())];
    const gone = first && (await end(first));
    if (gone?.status !== 204) return;
    wallet.sessions.splice(wallet.sessions.indexOf(session), 1);
    const late = second && (await end(second));
    if (late && late.status < 300)
      missed.push({ path: session.id, rule: 'a session that was revoked signs nothing' });
  };
  /** A session goes on as another one, with a key of its own; the former is over. */
  const renew = async (by: PlatformNumber) => {
    const found = someSession(by);
    if (!found) return;
    const { wallet, session } = found;
    const key = newClientKey();
    const path = `/auth/sessions/${session.id}/refresh`;
    const body = { clientPublicKey: key.publicKey };
    const made = await withSignature(session, (headers) => post(by, path, body, { headers }));
    if (made?.status !== 201) return;
    wallet.sessions.push({
      ...(await sessionOf(made.body, key.privateKey)),
      credential: session.credential,
    });
  };
  /** Who looks at the wallet sees less of it, or all of it again. */
  const hide = async (by: PlatformNumber) => {
    const found = someSession(by);
    if (!found) return;
    const path = `/internal-accounts/${found.wallet.account}`;
    const body = { privateEnabled: random.chance(0.5) };
    await withSignature(found.session, (headers) => ask({ by, method: 'PATCH', path, body, headers }));
  };
  return { fund, signIn, pay, signOut, renew, hide };
}
