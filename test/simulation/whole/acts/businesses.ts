/** Businesses: registered, with papers, with owners who change, and verified until that comes to an end. */
import { personalInfo } from '../../../support/builders/verification.ts';
import { fieldsOf, fileForm } from '../../../support/resources/documents.ts';
import { business } from '../../../support/resources/flows.ts';
import { ownerBody } from '../../../support/resources/verification.ts';
import type { Random } from '../../random.ts';
import { type Backends, isBehind, type PlatformNumber } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import type { AllHoldings, Missed } from './holdings.ts';

const businessesMax = 2;
const ownersMax = 3;
/** What is found of a person follows from both. */
const names = {
  first: ['Ada', 'Grace', 'Mary', 'Sofia'],
  last: ['Lovelace', 'Hopper', 'Somerville'],
} as const;
/** All that a verification asks of a business, and of a person. */
const businessInfo = {
  legalName: 'Analytical Engines Ltd',
  registrationNumber: '5523002',
  taxId: '98',
  country: 'GB',
  incorporatedOn: '1990-12-10',
};
const papers = ['CERTIFICATE_OF_INCORPORATION', 'TRUST_AGREEMENT', 'UTILITY_BILL'] as const;
const identity = 'PASSPORT';

type Deps = { readonly random: Random; readonly holdings: AllHoldings; readonly missed: Missed[] };

export function businessesOf({ ask, post, read }: Backends, { random, holdings, missed }: Deps) {
  const someone = (by: PlatformNumber) => random.pick(holdings[by].businesses);
  const firstName = () => random.pick(names.first) ?? 'Ada';
  const lastName = () => random.pick(names.last) ?? 'Lovelace';
  // So many shares that not all of them fit.
  const ownershipPercentage = () => 20 + random.below(40);

  /** Whoever has made it finds it. */
  const find = async (by: PlatformNumber, path: string, made: Answer) => {
    const seen = await read(by, path);
    if (seen?.status === 404 && !isBehind(made)) missed.push({ path, rule: 'who has written reads it' });
  };
  const handIn = (by: PlatformNumber, holder: string, documentType: string) => {
    const form = fileForm(fieldsOf(holder, { documentType }), '%PDF-1.7\n', 'paper.pdf');
    return ask({ by, method: 'POST', path: '/documents', form });
  };

  const register = async (by: PlatformNumber) => {
    const { businesses } = holdings[by];
    if (businesses.length >= businessesMax) return;
    const { address } = personalInfo;
    const made = await post(by, '/customers', business({ businessInfo, address }));
    if (made?.status !== 201) return;
    businesses.push({ id: made.body.id, owners: [] });
    for (const paper of papers) await handIn(by, made.body.id, paper);
  };
  const own = async (by: PlatformNumber) => {
    const one = someone(by);
    if (!one || one.owners.length >= ownersMax) return;
    const person = { personalInfo: { ...personalInfo, firstName: firstName() } };
    const share = { ownershipPercentage: ownershipPercentage() };
    const body = ownerBody(one.id, undefined, { ...person, ...share });
    const made = await post(by, '/beneficial-owners', body);
    if (made?.status !== 201) return;
    one.owners.push(made.body.id);
    await find(by, `/beneficial-owners/${made.body.id}`, made);
    await handIn(by, made.body.id, identity);
  };
  const change = async (by: PlatformNumber) => {
    const owner = random.pick(someone(by)?.owners ?? []);
    if (!owner) return;
    const path = `/beneficial-owners/${owner}`;
    const send = (body: object) => ask({ by, method: 'PATCH', path, body });
    const rename = () => send({ personalInfo: { lastName: lastName() } });
    const renameToo = () => send({ personalInfo: { firstName: firstName() } });
    const share = () => send({ ownershipPercentage: ownershipPercentage() });
    const changes = [rename, renameToo, share, () => Promise.all([rename(), renameToo()])];
    await random.pick(changes)?.();
  };
  const verify = async (by: PlatformNumber) => {
    const one = someone(by);
    if (!one) return;
    const made = await post(by, '/verifications', { customerId: one.id });
    if (made?.status !== 200) return;
    await find(by, `/verifications/${made.body.id}`, made);
  };
  /** One that lacks nothing for its verification. */
  const found = async (by: PlatformNumber) => {
    await register(by);
    await own(by);
  };
  return { register, own, change, verify, found };
}
