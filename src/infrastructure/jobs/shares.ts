/** Places that tenants share. Who is alone has most of them, and a newcomer finds some, however many others want all. */

/** For each place that is free one tenant may hold so many. */
export const heldForEachFree = 3;

/** What that comes to for a tenant who is alone. */
export const ofOneMax = (places: number): number => (places * heldForEachFree) / (1 + heldForEachFree);

export type Shares = {
  /** Returns what gives the place back; `undefined` where there is none for the tenant. */
  readonly take: (tenant: string) => (() => void) | undefined;
};

export function createShares(places: number): Shares {
  const held = new Map<string, number>();
  let free = places;
  const add = (tenant: string, count: 1 | -1) => {
    const own = (held.get(tenant) ?? 0) + count;
    if (own > 0) held.set(tenant, own);
    else held.delete(tenant);
    free -= count;
  };
  return {
    take(tenant) {
      if ((held.get(tenant) ?? 0) >= heldForEachFree * free) return undefined;
      add(tenant, 1);
      return () => add(tenant, -1);
    },
  };
}
