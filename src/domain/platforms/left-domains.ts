/** Domains that a platform has left a short time ago: nobody else is given them yet. */

/** How long a domain is kept for the platform that has left it: no request that was under way then outlasts it. */
export const keptAfterMs = 3_600_000;

/** When each was left. */
export type LeftDomains = ReadonlyMap<string, Date>;

const isKept = (leftAt: Date, at: Date): boolean => at.getTime() - leftAt.getTime() < keptAfterMs;

export const keeps = (left: LeftDomains | undefined, domain: string, at: Date): boolean => {
  const leftAt = left?.get(domain);
  return leftAt !== undefined && isKept(leftAt, at);
};

/** With one more, and without those that are kept no longer. */
export const leaving = (left: LeftDomains | undefined, domain: string, at: Date): LeftDomains =>
  new Map([...(left ?? [])].filter(([, leftAt]) => isKept(leftAt, at))).set(domain, at);
