/** What the platforms do in a step: one of all that the interface offers to move money, by chance. */
import type { Random } from '../../random.ts';
import { type Backends, type PlatformNumber, platformNumbers } from '../client.ts';
import type { Bank } from '../ports/bank.ts';
import type { FarRail } from '../ports/elsewhere/rail-service.ts';
import type { Taken } from '../ports/receivers.ts';
import { businessesOf } from './businesses.ts';
import { consoleOf } from './console.ts';
import { credentialsOf } from './credentials.ts';
import { documentsOf } from './documents.ts';
import { endpointsOf } from './endpoints.ts';
import type { AllHoldings, Missed } from './holdings.ts';
import { operatorsOf } from './operators.ts';
import { paymentsOf } from './payments.ts';
import { peopleOf } from './people.ts';
import { snapshotsOf } from './snapshots.ts';
import { staffOf } from './staff.ts';
import { treasuryOf } from './treasury.ts';
import { walletsOf } from './wallets.ts';

/** How often a step is a platform that goes back to a snapshot. */
const goesBack = 0.008;

type Deps = {
  readonly random: Random;
  readonly bank: Pick<Bank, 'receive'>;
  /** Where the rail is asked over a network, and tells by itself. */
  readonly farRail: Pick<FarRail, 'receive' | 'tellAgain'> | undefined;
  readonly receivers: { readonly taken: readonly Taken[] };
  readonly rebuild: () => Promise<string | undefined>;
  readonly sinceTogether: () => number | undefined;
  readonly sendAway: (isAsked: boolean) => Promise<(() => Promise<void>) | undefined>;
  readonly waysBack: () => Promise<number>;
  /** The screening, the mail server and the rail are asked more often. */
  readonly asksMore: boolean;
};

/** What platforms have to do with. */
export type Room =
  | 'businesses'
  | 'credentials'
  | 'desks'
  | 'documents'
  | 'operators'
  | 'payments'
  | 'people'
  | 'wallets';
/** So many times as often something is done with what a life is to be about. */
const timesAbout = 12;

/** `holdings` is what the platforms have to begin with, and `about` what more is done with than usual. */
export function createWorkload(
  backends: Backends,
  { random, bank, farRail, receivers, rebuild, sinceTogether, sendAway, waysBack, asksMore }: Deps,
  holdings: AllHoldings,
  about: readonly Room[] = [],
) {
  const missed: Missed[] = [];
  const staff = staffOf(backends, random, holdings);
  const desks = consoleOf(backends, { random, holdings, missed });
  const people = peopleOf(backends, { random, holdings, missed, tryDesksOf: desks.tryOf });
  const businesses = businessesOf(backends, { random, holdings, missed });
  const documents = documentsOf(backends, { random, holdings, missed });
  const operators = operatorsOf(backends, {
    random,
    holdings,
    missed,
    isGone: people.isGone,
    build: rebuild,
    sinceTogether,
  });
  const either = (): PlatformNumber => (random.chance(0.5) ? 0 : 1);
  const payments = paymentsOf(backends, { random, bank, farRail, receivers, holdings, missed });
  const { paid } = payments;
  const wallets = walletsOf(backends, { random, holdings, missed, paid });
  const credentials = credentialsOf(backends, { random, holdings, missed });
  const endpoints = endpointsOf(backends, { random });
  const treasury = treasuryOf(backends, { random, holdings, paid });
  const often: readonly (readonly [times: number, (by: PlatformNumber) => Promise<void>])[] = [
    [2, people.welcome],
    [3, people.change],
    [1, businesses.register],
    [2, businesses.own],
    [4, businesses.change],
    [4, businesses.verify],
    [4, documents.upload],
    [3, documents.replace],
    [2, documents.remove],
    [1, people.leave],
    [2, operators.erase],
    [3, operators.freeze],
    [2, operators.thaw],
    [1, operators.sendAgain],
    [2, desks.signIn],
    [2, desks.look],
    [2, desks.payIn],
    [2, desks.signOut],
    [2, operators.remember],
    [1, operators.stop],
    [1, async (by) => void (await operators.goOn(by))],
    [1, operators.putForward],
    [1, operators.rebuild],
    [2, people.issue],
    [4, people.withdraw],
    [1, endpoints.move],
    [1, endpoints.switchOff],
    [3, endpoints.comeBack],
    [1, people.invite],
    [1, people.claim],
    [1, people.cancel],
    [1, wallets.fund],
    [5, wallets.signIn],
    [3, wallets.pay],
    [1, wallets.signOut],
    [8, payments.arrive],
    [2, payments.arriveFrozen],
    [3, payments.fund],
    [2, async (by) => void (await payments.register(by))],
    [1, payments.remove],
    [16, payments.transfer],
    [4, payments.transferOnce],
    [14, payments.quote],
    [10, payments.execute],
    [2, payments.payForQuote],
    [3, payments.receive],
    [5, payments.decide],
    [2, payments.look],
    [1, treasury.fund],
    [1, treasury.register],
    [1, treasury.remove],
    [4, treasury.transfer],
    [1, wallets.renew],
    [1, wallets.hide],
    [2, credentials.add],
    [2, credentials.signIn],
    [3, credentials.revoke],
    [1, staff.employ],
    [5, staff.pay],
    [2, staff.quote],
    [2, staff.decide],
    [1, staff.change],
    [2, staff.trust],
    [1, staff.register],
  ];
  const others: typeof often = [
    [25, businesses.own],
    [35, businesses.change],
    [60, businesses.verify],
    [25, wallets.signIn],
    [25, payments.arrive],
    [15, payments.arriveFrozen],
    [40, payments.transfer],
    [20, payments.quoteToBePaid],
    [10, payments.payForQuote],
    [15, treasury.transfer],
  ];
  const rooms: Readonly<Record<Room, object>> = {
    businesses,
    credentials,
    desks,
    documents,
    operators,
    payments,
    people,
    wallets,
  };
  const favoured = new Set<unknown>(about.flatMap((room) => Object.values(rooms[room])));
  const actions = [...often, ...(asksMore ? others : [])].flatMap(([times, action]) =>
    Array.from(
      { length: favoured.has(action) ? times * timesAbout : times },
      () => (by: PlatformNumber) => action(by),
    ),
  );
  const doSomething = (by: PlatformNumber) => (random.pick(actions) ?? payments.look)(by);
  const snapshots = snapshotsOf(backends, {
    random,
    holdings,
    paid,
    doSomething,
    sendAway,
    waysBack,
    tellAgain: () => farRail?.tellAgain(),
  });

  return {
    holdings,
    missed,
    /** A cookie of somebody who is signed in at a platform's console. */
    openDesk: async (by: PlatformNumber) => (await desks.begin(by, undefined))?.cookie,
    /** Each platform is told of what happens at an address of its own. */
    openEndpoints: endpoints.open,
    /** Mails in the platform's name; two customers, with money, accounts elsewhere, and wallets that they are signed in to; and a business. */
    async settle(by: PlatformNumber) {
      await operators.configure(by);
      for (const _ of [1, 2]) {
        await people.welcome(by);
        await payments.fund(by);
        await payments.register(by);
        await payments.register(by);
      }
      for (const customer of holdings[by].customers) {
        await wallets.fund(by, customer);
        await wallets.signIn(by, customer);
      }
      await staff.employ(by);
      await businesses.found(by);
    },
    /** Nobody is kept from their money any more, time goes on, all are told of it, and each has deleted a token. */
    async rest() {
      await operators.release();
      await snapshots.catchUp();
      await endpoints.open();
      for (const by of platformNumbers) {
        await people.issue(by);
        await people.withdraw(by);
      }
    },
    /** Tries once all is over what must not work any more. */
    async tryInVain() {
      await people.tryAllClosed();
      await desks.tryAllClosed();
      await credentials.tryAllRevoked();
    },
    step: (): Promise<void> =>
      random.chance(goesBack) ? snapshots.goBack(either()) : backends.act(() => doSomething(either())),
  };
}
