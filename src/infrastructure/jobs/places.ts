/**
 * A few places that tenants take in turn. Those whose work takes long leave one to the others: however many they are, they
 * hold up nobody but each other.
 */
import { createShares } from './shares.ts';

/** Work that takes longer makes its tenant a slow one, for so long after it. */
export const slowMs = 500;
export const slowForMs = 60_000;

export type PlacesOptions = {
  readonly max: number;
  /** Of all tenants together. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
  /** Where as many wait as may, or as many of the tenant. */
  readonly refusal: () => Error;
  /** Where none became free in time. */
  readonly late: () => Error;
  readonly now?: () => number;
};

export type Places = {
  /** Resolves with what gives the place back. `undefined` is the service itself, which is never slow. */
  readonly take: (tenant: string | undefined) => Promise<() => void>;
};

/** Of a tenant, which there are as many of as an operator has made. */
type Known = { slowUntil: number; askedAt: number };
type Held = { readonly tenant: string | undefined; readonly since: number };
type Waiter = { readonly begin: () => void };

export function createPlaces(options: PlacesOptions): Places {
  const { max, waitingMax, waitMaxMs, refusal, late, now = () => performance.now() } = options;
  const known = new Map<string, Known>();
  const held = new Set<Held>();
  /** In the order in which they are served: who was served goes to the end. */
  const lines = new Map<string | undefined, Waiter[]>();
  const shares = createShares(waitingMax);

  const isSlow = (tenant: string | undefined): boolean => {
    const { slowUntil } = (tenant !== undefined && known.get(tenant)) || nobody;
    return slowUntil > now() || held.values().some((one) => one.tenant === tenant && hasBeenLong(one));
  };
  const hasBeenLong = ({ tenant, since }: Held) => tenant !== undefined && now() - since > slowMs;
  /** Somebody who is not slow has asked a while ago, and may ask again. */
  const isForOthers = (): boolean =>
    known.entries().some(([tenant, { askedAt }]) => now() - askedAt < slowForMs && !isSlow(tenant));
  const mayBegin = (tenant: string | undefined): boolean => {
    if (held.size >= max) return false;
    if (max === 1 || !isSlow(tenant) || !isForOthers()) return true;
    return (
      held
        .values()
        .filter((one) => isSlow(one.tenant))
        .toArray().length <
      max - 1
    );
  };

  const begin = (tenant: string | undefined) => {
    const one = { tenant, since: now() };
    held.add(one);
    return () => {
      if (hasBeenLong(one)) noted(tenant).slowUntil = now() + slowForMs;
      held.delete(one);
      serveNext();
    };
  };
  const noted = (tenant = ''): Known => {
    const own = known.get(tenant) ?? { ...nobody };
    known.set(tenant, own);
    return own;
  };
  const serveNext = () => {
    for (const [tenant, line] of lines) {
      if (!mayBegin(tenant)) continue;
      lines.delete(tenant);
      const next = line.shift();
      if (line.length > 0) lines.set(tenant, line);
      next?.begin();
      return serveNext();
    }
  };
  const wait = (tenant: string | undefined) =>
    new Promise<() => void>((resolve, reject) => {
      const leave = shares.take(tenant ?? '');
      if (!leave) return reject(refusal());
      const line = lines.get(tenant) ?? [];
      const waiter = {
        begin() {
          clearTimeout(timer);
          leave();
          resolve(begin(tenant));
        },
      };
      const giveUp = () => {
        leave();
        line.splice(line.indexOf(waiter), 1);
        if (line.length === 0) lines.delete(tenant);
        reject(late());
      };
      const timer = setTimeout(giveUp, waitMaxMs);
      line.push(waiter);
      lines.set(tenant, line);
    });

  return {
    async take(tenant) {
      if (tenant !== undefined) noted(tenant).askedAt = now();
      return !lines.has(tenant) && mayBegin(tenant) ? begin(tenant) : wait(tenant);
    },
  };
}

const nobody: Known = { slowUntil: 0, askedAt: Number.NEGATIVE_INFINITY };
