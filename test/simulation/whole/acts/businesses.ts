/** Businesses: registered, with owners who change, and verified until that comes to an end. */
import { business } from '../../../support/flows.ts';
import { ownerBody } from '../../../support/verification.ts';
import type { Random } from '../../random.ts';
import { type Backends, isBehind, type PlatformNumber } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import type { AllHoldings, Missed } from './holdings.ts';

const businessesMax = 2;
const ownersMax = 3;
/** What the sandbox finds by the last three characters: it waits, is rejected, or approves. */
const suffixes = ['001', '002', '900', '901', '902'] as const;

type Deps = { readonly random: Random; readonly holdings: AllHoldings; readonly missed: Missed[] };

export function businessesOf({ ask, post, read }: Backends, { random, holdings, missed }: Deps) {
  const suffix = () => random.pick(suffixes) ?? '900';
  const someone = (by: PlatformNumber) => random.pick(holdings[by].businesses);

  /** Whoever has made it finds it. */
  const find = async (by: PlatformNumber, path: string, made: Answer) => {
    const seen = await read(by, path);
    if (seen?.status === 404 && !isBehind(made)) missed.push({ path, rule: 'who has written reads it' });
  };

  const register = async (by: PlatformNumber) => {
    const { businesses } = holdings[by];
    if (businesses.length >= businessesMax) return;
    const businessInfo = { legalName: 'Analytical Engines Ltd', registrationNumber: `BN${suffix()}` };
    const made = await post(by, '/customers', business({ businessInfo }));
    if (made?.status === 201) businesses.push({ id: made.body.id, owners: [] });
  };
  const own = async (by: PlatformNumber) => {
    const one = someone(by);
    if (!one || one.owners.length >= ownersMax) return;
    // So many shares that not all of them fit.
    const share = { ownershipPercentage: 20 + random.below(40) };
    const made = await post(by, '/beneficial-owners', ownerBody(one.id, `Lovelace${suffix()}`, share));
    if (made?.status !== 201) return;
    one.owners.push(made.body.id);
    await find(by, `/beneficial-owners/${made.body.id}`, made);
  };
  const change = async (by: PlatformNumber) => {
    const owner = random.pick(someone(by)?.owners ?? []);
    if (!owner) return;
    const body = random.chance(0.5)
      ? { personalInfo: { lastName: `Lovelace${suffix()}` } }
      : { ownershipPercentage: 20 + random.below(40) };
    await ask({ by, method: 'PATCH', path: `/beneficial-owners/${owner}`, body });
  };
  const verify = async (by: PlatformNumber) => {
    const one = someone(by);
    if (!one) return;
    const made = await post(by, '/verifications', { customerId: one.id });
    if (made?.status !== 200) return;
    await find(by, `/verifications/${made.body.id}`, made);
  };
  return { register, own, change, verify };
}
