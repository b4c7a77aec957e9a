/**
 * What is done by hand: accounts are frozen for a while, persons erased, webhooks sent again, read models built anew, and a
 * platform's clock is stopped and put forward.
 */
import type { Random } from '../../random.ts';
import { type Backends, type PlatformNumber, platformNumbers } from '../client.ts';
import type { AllHoldings, Customer, Missed } from './holdings.ts';

/** Webhooks of so long are asked for again. */
const sentAgainMs = 20_000;
/** So soon after a rebuild has begun. */
const eraseWithinMs = 300;
/** Its connection, its disk, or somebody who was erased, whom it may have read of. */
const faultsOfRebuilds =
  /terminated|Query read timeout|not queryable|No space left|event store does not answer|A customer was erased meanwhile|tables of this rebuild were taken away/;
/** By so much a clock is put forward at most: longer than a quote lives, and than an approval may take. */
const forwardMaxSeconds = 15;

/** Once nothing fails any more a clock may stand still for as long as a process takes to be there, and to catch up. */
const [looksMax, looksEveryMs] = [60, 1_000];

const codeForm = { otpLength: 12, alphanumeric: true };

type Deps = {
  readonly random: Random;
  readonly holdings: AllHoldings;
  readonly missed: Missed[];
  /** Builds the read models anew; tells why that has come to nothing. */
  readonly build: () => Promise<string | undefined>;
  /** The same as long as all processes are there; nothing while one is not. */
  readonly sinceTogether: () => number | undefined;
  /** What has to be so from then on. */
  readonly isGone: (by: PlatformNumber, customer: Customer) => Promise<void>;
};

export function operatorsOf(
  { ask, post, pause, untilDecided }: Backends,
  { random, holdings, missed, isGone, build, sinceTogether }: Deps,
) {
  /** How customers are mailed: in the platform's name, with codes that are found wherever they stand. */
  const configure = async (by: PlatformNumber) => {
    const body = { embeddedWalletConfig: { appName: `Purse ${by}`, ...codeForm } };
    await ask({ by, method: 'PATCH', path: '/config', body });
  };

  const setStatus = (by: PlatformNumber, account: string, status: 'ACTIVE' | 'FROZEN') =>
    post(by, `/sandbox/internal-accounts/${account}/status`, { status });

  const freeze = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    const account = random.pick([customer.account, customer.euro.account, customer.wallet.account]);
    if (!account) return;
    // It may be done though nobody hears of it.
    holdings[by].frozen.push(account);
    await setStatus(by, account, 'FROZEN');
  };
  const thaw = async (by: PlatformNumber) => {
    const account = random.pick(holdings[by].frozen);
    if (account) await setStatus(by, account, 'ACTIVE');
  };
  /** Whoever advances a clock may be killed in it. */
  const goesOn = async (by: PlatformNumber) => {
    if (stopped.has(by)) return;
    for (let looked = 0; looked < looksMax; looked++) {
      const shown = await ask({ by, method: 'GET', path: '/sandbox/clock' });
      if (shown?.status === 200 && shown.body.status !== 'FROZEN') return;
      await pause(looksEveryMs);
    }
    missed.push({ path: '/sandbox/clock', rule: 'a clock that nobody stops goes on after its advance' });
  };
  /** Once nothing fails any more: no account is frozen afterwards, and no clock stands still. */
  const release = async () => {
    for (const by of platformNumbers) {
      await goesOn(by);
      await untilDecided(() => goOn(by));
      for (const account of new Set(holdings[by].frozen))
        await untilDecided(() => setStatus(by, account, 'ACTIVE'));
    }
  };

  const stopped = new Set<PlatformNumber>();
  const stop = async (by: PlatformNumber) => {
    stopped.add(by);
    await post(by, '/sandbox/clock/freeze');
  };
  const goOn = (by: PlatformNumber) => post(by, '/sandbox/clock/resume');
  const putForward = async (by: PlatformNumber) => {
    const seconds = 1 + random.below(forwardMaxSeconds);
    await post(by, '/sandbox/clock/advance', { duration: `PT${seconds}S` });
  };

  /** Who has money, or waits for some, stays, as with `leave`. */
  const erase = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers.slice(2));
    if (!customer) return;
    const erased = await post(by, `/customers/${customer.id}/erase`);
    if (erased?.status !== 200) return;
    holdings[by].erased.push(...customer.emails);
    await isGone(by, customer);
  };

  let isBuilding = false;
  /** Somebody may be erased meanwhile, of whom it has read. */
  const rebuild = async (by: PlatformNumber) => {
    if (isBuilding) return;
    isBuilding = true;
    const erased = random.chance(0.5) && pause(random.below(eraseWithinMs)).then(() => erase(by));
    const why = await build();
    isBuilding = false;
    await erased;
    if (why !== undefined && !faultsOfRebuilds.test(why))
      missed.push({ path: why, rule: 'a rebuild comes to nothing by a fault alone' });
  };

  /** A snapshot is for an installation of one process: the other one would not hear of it that a platform goes back. */
  const remember = async (by: PlatformNumber) => {
    const since = sinceTogether();
    const made = await post(by, '/sandbox/snapshots', { name: 'before' });
    if (made?.status === 201 && since !== undefined && since === sinceTogether())
      missed.push({ path: made.body.id, rule: 'no snapshot is taken while two processes serve' });
  };

  const sendAgain = async (by: PlatformNumber) => {
    await post(by, '/webhooks/redeliver', { since: new Date(Date.now() - sentAgainMs).toISOString() });
  };
  return { configure, freeze, thaw, erase, remember, sendAgain, stop, goOn, putForward, rebuild, release };
}
