/** What a platform does with money of its own: its account, and accounts elsewhere that belong to none of its customers. */
import { usdInfo } from '../../../support/resources/payments.ts';
import type { Random } from '../../random.ts';
import type { Backends, PlatformNumber } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import type { AllHoldings } from './holdings.ts';

const fundedMax = 200_000;
const amountMax = 50_000;

type Deps = {
  readonly random: Random;
  readonly holdings: AllHoldings;
  /** Notes what a payment was answered with. */
  readonly paid: (by: PlatformNumber, made: Answer | undefined) => Promise<void>;
};

export function treasuryOf({ ask, post, read }: Backends, { random, holdings, paid }: Deps) {
  /** Its account in USD, once it was looked for. */
  const accountOf = async (by: PlatformNumber): Promise<string | undefined> => {
    const { treasury } = holdings[by];
    if (treasury.account === undefined) {
      const accounts = await read(by, '/platform/internal-accounts?currency=USD');
      treasury.account = accounts?.body?.data?.[0]?.id;
    }
    return treasury.account;
  };
  const fund = async (by: PlatformNumber) => {
    const account = await accountOf(by);
    const amount = 1 + random.below(fundedMax);
    if (account) await post(by, `/sandbox/internal-accounts/${account}/fund`, { amount });
  };
  const register = async (by: PlatformNumber) => {
    const body = { currency: 'USD', accountInfo: usdInfo(String(400 + random.below(500))) };
    const made = await post(by, '/platform/external-accounts', body);
    if (made?.status === 201) holdings[by].treasury.external.push(made.body.id);
  };
  const remove = async (by: PlatformNumber) => {
    const id = random.pick(holdings[by].treasury.external);
    if (id) await ask({ by, method: 'DELETE', path: `/platform/external-accounts/${id}` });
  };
  const transfer = async (by: PlatformNumber) => {
    const [accountId, external] = [await accountOf(by), random.pick(holdings[by].treasury.external)];
    if (!accountId || !external) return;
    const [inside, outside] = [{ accountId }, { accountId: external }];
    const isIn = random.chance(0.4);
    const amount = 1 + random.below(amountMax);
    const body = { source: isIn ? outside : inside, destination: isIn ? inside : outside, amount };
    await paid(by, await post(by, isIn ? '/transfer-in' : '/transfer-out', body));
  };
  return { fund, register, remove, transfer };
}
