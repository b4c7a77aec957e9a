/**
 * Domains of payment addresses. One platform holds a domain; it keeps one that it has left for as long as a customer
 * has an address there, and for an hour, which no request outlasts that was under way when it left.
 */
import { derivedUuid, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import { keptAfterMs } from './left-domains.ts';
import type { ActivePlatform } from './platform.ts';

/** What the first platform of an installation starts with. Names below it are the other platforms' own. */
export const defaultDomain = 'daybook.test';

/** The label that tells a platform from all others. */
export const subdomainOf = (platformId: PlatformId): string => `p${uuidOf(platformId).slice(0, 8)}`;

/** What a platform starts with that is not the first. */
export const ownDomainOf = (platformId: PlatformId): string => `${subdomainOf(platformId)}.${defaultDomain}`;

/** The stream of a domain: unique over all platforms, in lower case. */
export const paymentDomainStream = (domain: string): string =>
  derivedUuid('payment-domain', domain.toLowerCase());

/** What is answered when the domain is another platform's. */
export const domainTaken = (domain: string) =>
  ({ code: 'CONFLICT', message: `The domain ${domain} belongs to another platform.` }) as const;

/** Throws `Rejected` for a domain that the service gives away itself. */
export function requireOpen(umaDomain: string, { platformId, umaDomain: current }: ActivePlatform): void {
  if (umaDomain === current || umaDomain === ownDomainOf(platformId)) return;
  if (umaDomain.endsWith(`.${defaultDomain}`)) throw badField('umaDomain', 'belongs to another platform');
}

/** Whether the platform has left the domain for so long that nothing of it can still come to be there. */
export const hasLeft = ({ umaDomain, umaDomainSince }: ActivePlatform, domain: string, at: Date): boolean =>
  umaDomain !== domain && at.getTime() - umaDomainSince.getTime() >= keptAfterMs;

/**
 * Until when the platform keeps a domain that it has left; `undefined` where it has not. What was never confirmed is kept
 * from when it was left, the rest since the platform has what it has now.
 */
export function keptUntil(
  { umaDomain, umaDomainSince, leftDomains }: ActivePlatform,
  domain: string,
  isConfirmed: boolean,
): Date | undefined {
  if (umaDomain === domain) return undefined;
  const leftAt = isConfirmed ? umaDomainSince : leftDomains?.get(domain);
  return leftAt && new Date(leftAt.getTime() + keptAfterMs);
}

/** What is answered where another platform keeps it for a while. */
export function domainKept(domain: string, forMs: number): Rejected {
  const { code, message } = domainTaken(domain);
  const retryAfterSeconds = Math.ceil(forMs / 1_000);
  return new Rejected(code, `${message} It may be free in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

/** Outside the sandbox whoever takes a domain shows that it is his; the service's own it gives to whom it likes. */
export const needsProof = ({ environment, platformId }: ActivePlatform, domain: string): boolean =>
  environment === 'production' && domain !== ownDomainOf(platformId);

/** The record by which a domain says that it is this platform's. Only whoever has the domain can publish it. */
export const proofOf = (platformId: PlatformId, domain: string) => ({
  type: 'TXT',
  name: `_daybook.${domain}`,
  value: `daybook-platform=${derivedUuid('payment-domain-proof', platformId, domain)}`,
});

/** Names the record that is missing. */
export function unproven(platformId: PlatformId, domain: string): Rejected {
  const dnsRecord = proofOf(platformId, domain);
  const message = `is not proven: publish the TXT record ${dnsRecord.name} with ${dnsRecord.value}`;
  const errors = [{ field: 'umaDomain', message }];
  return new Rejected('INVALID_INPUT', `umaDomain ${message}.`, { errors, dnsRecord });
}
