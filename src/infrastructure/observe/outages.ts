/**
 * A store that is away, or lacks what it needs for any work, is told of once, by the variable that says where it is. What
 * else fails for want of it is counted, and one line says that it is over.
 */
import { RequestLate, StoreAway } from '../away.ts';
import { isOfServer } from '../postgres/away.ts';

/** The variables that say where stores are. */
export type StoreVariable = 'DATABASE_URL' | 'EVENTSTORE_URL' | 'REDIS_URL';

/** Whoever cannot reach a store tries again within this time; silence for so long means that it is back. */
export const quietMs = 15_000;

type Over = { readonly store: StoreVariable; readonly further: number; readonly seconds: number };

/**
 * Says of each line whether it is to be written: `told` is called when a store was not complained of for `quiet`
 * milliseconds. Once nobody asks the stores any more, silence means nothing: `forget` ends the outages untold.
 */
export function createOutages(told: (over: Over) => void, quiet = quietMs) {
  const current = new Map<
    StoreVariable,
    { since: number; last: number; further: number; timer: NodeJS.Timeout }
  >();
  const end = (store: StoreVariable) => {
    const outage = current.get(store);
    if (!outage) return;
    current.delete(store);
    told({ store, further: outage.further, seconds: Math.round((outage.last - outage.since) / 1_000) });
  };
  /** Which store the line complains of for the first time; `counted` for a further one; nothing where it is of no store. */
  const complained = (fields: unknown, isOutside = false): StoreVariable | 'counted' | undefined => {
    const store = isOfRequestLate(fields) ? current.keys().next().value : storeOf(fields, isOutside);
    if (!store) return undefined;
    const now = performance.now();
    const outage = current.get(store);
    if (outage) {
      outage.last = now;
      outage.further += 1;
      outage.timer.refresh();
      return 'counted';
    }
    const timer = setTimeout(end, quiet, store).unref();
    current.set(store, { since: now, last: now, further: 0, timer });
    return store;
  };
  const forget = () => {
    for (const { timer } of current.values()) clearTimeout(timer);
    current.clear();
  };
  return { complained, forget };
}

/** It was late for want of a store that is away, where one is. */
const isOfRequestLate = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof RequestLate;

/** The store that whoever logs has named, or that its error is of. Who names none has asked somebody outside. */
function storeOf(fields: unknown, isOutside: boolean): StoreVariable | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  if ('store' in fields) return fields.store as StoreVariable | undefined;
  if (!('err' in fields)) return undefined;
  if (fields.err instanceof StoreAway && fields.err.store) return fields.err.store as StoreVariable;
  const isAway = isOutside ? fields.err instanceof StoreAway : isOfServer(fields.err);
  return isAway ? 'DATABASE_URL' : undefined;
}
