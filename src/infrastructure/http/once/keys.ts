/**
 * Keys in use. Those that arrive together are taken, and kept, together. None is taken, kept or looked for while what was
 * done for its tenant is being taken back.
 */

import type { Pool } from '../../postgres/pool.ts';
import { inBatches } from '../../scheduling/batches.ts';
import {
  type Answered,
  findKept,
  forgetKey,
  type Held,
  type Keeping,
  type Kept,
  keepAll,
  leaveKey,
  type Taking,
  takeAll,
  type Wanted,
} from './keys-table.ts';

const togetherMax = 256;

/** For whom a request is, and how often their doings had been taken back when it began. */
export type Since = { readonly tenant: string | undefined; readonly times: number };

/** For those whose doings may be taken back as a whole, and nobody's keys with them but those that came after. */
export type TakenBack = {
  /** How often that has happened to the tenant. */
  readonly times: (tenant: string) => number;
  /** Reads or writes keys while it does not happen: halfway there are keys of before and of afterwards. */
  readonly notMeanwhile: <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result>;
};

export type KeysDeps = {
  readonly pool: Pool;
  readonly now: () => Date;
  /** So long a request may begin to do something. */
  readonly requestMaxMs?: number;
  readonly takenBack?: TakenBack | undefined;
};

const never: TakenBack = { times: () => 0, notMeanwhile: (_, work) => work() };

type Keys = {
  /** Of a request that begins now: what `keep` has to know. */
  readonly sinceNow: (tenant: string | undefined) => Since;
  /** `undefined` where another holds the key, or there is an answer. */
  readonly acquire: (wanted: Wanted) => Promise<Held | undefined>;
  readonly find: (scope: string, tenant: string | undefined) => Promise<Kept | undefined>;
  /** Whether the answer is kept under the key; `undefined` for one that may tell of what was taken back meanwhile. */
  readonly keep: (held: Held, answer: Answered, since: Since) => Promise<boolean | undefined>;
  readonly leave: (held: Held, isOver: boolean) => Promise<void>;
  readonly forget: (held: Held) => Promise<void>;
};

export function keysOf({ pool, now, requestMaxMs = 10_000, takenBack = never }: KeysDeps): Keys {
  const take = inBatches<Taking>(togetherMax, (group) => takeAll(pool, now(), group, requestMaxMs));
  const save = inBatches<Keeping>(togetherMax, (group) => keepAll(pool, group));
  const leave = (held: Held, isOver: boolean) => leaveKey(pool, held, isOver);
  return {
    sinceNow: (tenant) => ({ tenant, times: takenBack.times(tenant ?? '') }),
    acquire: (wanted) =>
      takenBack.notMeanwhile(
        wanted.tenant ?? '',
        () => new Promise((resolve, reject) => take({ ...wanted, resolve, reject })),
      ),
    find: (scope, tenant = '') => takenBack.notMeanwhile(tenant, () => findKept(pool, scope)),
    keep: (held, answer, { tenant = '', times }) =>
      takenBack.notMeanwhile(tenant, async () => {
        if (takenBack.times(tenant) !== times) return void (await leave(held, true));
        return new Promise<boolean>((resolve, reject) => save({ held, answer, resolve, reject }));
      }),
    leave,
    forget: (held) => forgetKey(pool, held),
  };
}
