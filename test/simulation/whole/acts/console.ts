/** Who works at the console, at whichever process: signs in with a token, looks at books, pays in money, signs out. */
import { noCookie } from '../../../../src/api/callers/console-session.ts';
import type { Random } from '../../random.ts';
import { type Backends, type PlatformNumber, platformNumbers } from '../client.ts';
import { credentialsOf } from '../installation.ts';
import type { Answer } from '../ports/network.ts';
import { type AllHoldings, type Desk, type Missed, otherThan, type Token } from './holdings.ts';

const desksMax = 3;
const fundedMax = 5_000;
/** A process may know a session for so long that has ended at the other one. */
const untilForgottenMs = 1_500;
const [signedOut = ''] = noCookie.split(';', 1);

type Deps = { readonly random: Random; readonly holdings: AllHoldings; readonly missed: Missed[] };

/** What a browser keeps of an answer. */
const cookieIn = (answer: Answer): string => answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';

export function consoleOf({ ask, post, read, pause }: Backends, { random, holdings, missed }: Deps) {
  /** Of sessions that have ended for sure. */
  const closed: { readonly by: PlatformNumber; readonly desk: Desk }[] = [];
  const someDesk = (by: PlatformNumber) => random.pick(holdings[by].desks);
  const begin = async (by: PlatformNumber, token: Token | undefined): Promise<Desk | undefined> => {
    const { clientId, clientSecret } = token ?? credentialsOf(by);
    const made = await post(by, '/console/session', { clientId, clientSecret }, { cookie: signedOut });
    return made?.status === 201 ? { cookie: cookieIn(made), tokenId: token?.id } : undefined;
  };

  const signIn = async (by: PlatformNumber) => {
    const { desks, tokens } = holdings[by];
    if (desks.length >= desksMax) return;
    const desk = await begin(by, random.chance(0.5) ? random.pick(tokens) : undefined);
    if (desk) desks.push(desk);
  };
  /** What is of one platform is of no use to another one's console. */
  const look = async (by: PlatformNumber) => {
    const desk = someDesk(by);
    const id = random.pick([...holdings[by].transactions, ...holdings[otherThan(by)].transactions]);
    if (!desk || !id) return;
    const path = `/transactions/${id}`;
    const seen = await read(by, path, { cookie: desk.cookie });
    const isOthers = holdings[otherThan(by)].transactions.includes(id);
    if (isOthers && seen && seen.status < 300)
      missed.push({ path, rule: 'nobody sees what is of another platform' });
  };
  const payIn = async (by: PlatformNumber) => {
    const desk = someDesk(by);
    const customer = random.pick(holdings[random.chance(0.8) ? by : otherThan(by)].customers);
    if (!desk || !customer) return;
    const path = `/sandbox/internal-accounts/${customer.account}/fund`;
    const amount = 1 + random.below(fundedMax);
    const paid = await post(by, path, { amount }, { cookie: desk.cookie });
    const isOthers = !holdings[by].customers.includes(customer);
    if (isOthers && paid && paid.status < 300 && holdings[otherThan(by)].customers.includes(customer))
      missed.push({ path, rule: 'nobody sees what is of another platform' });
  };
  const signOut = async (by: PlatformNumber) => {
    const desk = someDesk(by);
    if (!desk) return;
    const gone = await ask({ by, method: 'DELETE', path: '/console/session', cookie: desk.cookie });
    if (gone?.status !== 204) return;
    const { desks } = holdings[by];
    desks.splice(desks.indexOf(desk), 1);
    closed.push({ by, desk });
    await pause(untilForgottenMs);
    await tryClosed(by, desk);
  };
  const tryClosed = async (by: PlatformNumber, { cookie }: Desk) => {
    const customer = holdings[by].customers[0];
    const all = [
      await read(by, '/config', { cookie }),
      customer &&
        (await post(by, `/sandbox/internal-accounts/${customer.account}/fund`, { amount: 1 }, { cookie })),
    ];
    if (all.some((answer) => answer && answer.status < 300))
      missed.push({ path: cookie, rule: 'a session of the console that has ended does nothing' });
  };

  return {
    begin,
    signIn,
    look,
    payIn,
    signOut,
    /** Whoever was signed in with a token that is deleted is so no more. */
    async tryOf(token: Token) {
      for (const by of platformNumbers)
        for (const desk of holdings[by].desks) if (desk.tokenId === token.id) await tryClosed(by, desk);
    },
    /** Whoever kept the cookie of one that has ended comes back once all is over. */
    async tryAllClosed() {
      for (const { by, desk } of closed) await tryClosed(by, desk);
    },
  };
}
