/** Who holds a domain of payment addresses, and how a platform comes to hold one. */
import type { ReadDb } from '../../../projections/database.ts';
import { hasAddressOfOthers } from '../../../projections/models/customers.ts';
import {
  defaultDomain,
  domainKept,
  domainTaken,
  hasLeft,
  keptUntil,
  needsProof,
  ownDomainOf,
  paymentDomainStream,
  proofOf,
  unproven,
} from '../../domain/platforms/domains.ts';
import type { HeldDomain } from '../../domain/platforms/events.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import type { DomainRecords } from '../../domain/ports/domain-records.ts';
import type { Reservation } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { takeName } from '../names.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
export type TakingDeps = Deps & { readonly listDb: ReadDb; readonly domainRecords: DomainRecords };

type Wanted = {
  readonly domain: string;
  /** Tells this hold from that of another change of the same platform, so that each is given up by itself. */
  readonly claim: string;
};

/**
 * Holds a domain for a platform that is about to use it. Throws `Rejected`: 400 where a proof is needed and not there,
 * 409 where the domain is another platform's.
 */
export async function takeDomain(
  deps: TakingDeps,
  platform: ActivePlatform,
  { domain, claim }: Wanted,
  cause: Cause,
): Promise<HeldDomain> {
  const { commands, listDb, domainRecords, now } = deps;
  const { platformId: holder } = platform;
  const reservation = paymentDomainStream(domain);
  const taken = domainTaken(domain);
  const held = await commands.load('reservation', reservation);
  if (held.status !== 'held' || held.holder !== holder) {
    if (needsProof(platform, domain)) await requireProof(domainRecords, holder, domain);
    if (await hasAddressOfOthers(listDb, holder, domain)) throw new Rejected(taken.code, taken.message);
    await freeWhatIsLeft(deps, held, domain, cause);
  }
  await takeName(commands, { reservation, domain }, { holder, claim, at: now(), taken }, cause);
  return { reservation, claim };
}

/** Holds the default domain for a new platform, where nobody has it, or else the platform's own. */
export async function firstDomainOf(deps: Deps, platformId: PlatformId, cause: Cause): Promise<string> {
  const isFirst = await holdsNow(deps, platformId, defaultDomain, cause);
  if (isFirst) return defaultDomain;
  const own = ownDomainOf(platformId);
  if (await holdsNow(deps, platformId, own, cause)) return own;
  throw new Error(`the domain ${own} belongs to another platform than ${platformId}`);
}

/**
 * For platforms from before domains were held: each holds what it has. Of several with one domain the first keeps it, and
 * the others' new addresses have their own.
 */
export async function holdDomain(deps: Deps, platformId: PlatformId, cause: Cause): Promise<void> {
  const { commands, now } = deps;
  const platform = await commands.load('platform', uuidOf(platformId));
  if (platform.status === 'none') return;
  const { umaDomain } = platform;
  if (await holdsNow(deps, platformId, umaDomain, cause)) {
    const confirm = { type: 'ConfirmReservation', holder: platformId, at: now() } as const;
    await commands.run('reservation', paymentDomainStream(umaDomain), confirm, cause);
    return;
  }
  const own = ownDomainOf(platformId);
  await holdsNow(deps, platformId, own, cause);
  const held = { reservation: paymentDomainStream(own) };
  const move = { type: 'ChangeConfig', changes: { umaDomain: own }, held, at: now() } as const;
  await commands.run('platform', uuidOf(platformId), move, cause);
}

/** False where somebody else has it. */
async function holdsNow(
  { commands, now }: Deps,
  holder: PlatformId,
  domain: string,
  cause: Cause,
): Promise<boolean> {
  const name = { reservation: paymentDomainStream(domain), domain };
  try {
    await takeName(commands, name, { holder, at: now(), taken: domainTaken(domain) }, cause);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}

async function requireProof(
  { textsAt }: DomainRecords,
  platformId: PlatformId,
  domain: string,
): Promise<void> {
  const { name, value } = proofOf(platformId, domain);
  if (!(await textsAt(name)).includes(value)) throw unproven(platformId, domain);
}

/**
 * Gives up what its holder has left. A hold that the holder is taking again at this moment stays. Throws `Rejected` (409),
 * which says for how long, where the holder keeps what it has left.
 */
async function freeWhatIsLeft(
  { commands, now }: Deps,
  held: Reservation,
  domain: string,
  cause: Cause,
): Promise<void> {
  if (held.status !== 'held' || !isId('Platform', held.holder)) return;
  const { holder, claims } = held;
  const at = now();
  const former = await commands.load('platform', uuidOf(holder));
  if (former.status === 'none') return;
  if (!hasLeft(former, domain, at)) {
    const isConfirmed = [...claims.values()].some(({ confirmed }) => confirmed);
    const until = keptUntil(former, domain, isConfirmed);
    if (until && until > at) throw domainKept(domain, until.getTime() - at.getTime());
    return;
  }
  for (const [claim, { confirmed }] of claims) {
    const release = { type: 'ReleaseName', holder, ...(claim !== '' && { claim }), at } as const;
    if (confirmed) await commands.run('reservation', paymentDomainStream(domain), release, cause);
  }
}
