/** How far back the newest event of an installation is looked for, where others share the server. */
import { expect, it } from 'vitest';
import { newestOf, type Resolved } from '../../../src/infrastructure/event-store/newest-of-ours.ts';

/** `$all` of a server, oldest first, and how many of its events each look has read. */
function server() {
  const all: { readonly streamId: string; readonly commit: bigint }[] = [];
  const read: number[] = [];
  const add = (streamId: string, times = 1) => {
    for (let n = 0; n < times; n++) all.push({ streamId, commit: BigInt(100 * (all.length + 1)) });
  };
  const lookBack = async (isFound: (event: Resolved) => boolean) => {
    const events = all
      .toReversed()
      .map(({ streamId, commit }): Resolved => ({ event: { streamId, position: { commit } } }));
    const at = events.findIndex(isFound);
    read.push(at < 0 ? events.length : at + 1);
    return at < 0 ? [] : events.slice(at, at + 1);
  };
  const newest = newestOf('ours.');
  const setBack = (to: number) => void all.splice(to);
  return { add, setBack, read, newest: () => newest(lookBack) };
}

it('is the newest whose stream has the prefix, and 0 where there is none', async () => {
  const { add, newest } = server();
  expect(await newest()).toBe(0n);
  add('$users');
  expect(await newest()).toBe(0n);
  add('ours.account-1');
  add('theirs.account-1', 3);
  expect(await newest()).toBe(200n);
  add('ours.account-1');
  expect(await newest()).toBe(600n);
});

it('reads what others have added once', async () => {
  const { add, newest, read } = server();
  add('ours.account-1');
  add('theirs.account-1', 1_000);
  for (let n = 0; n < 3; n++) expect(await newest()).toBe(100n);
  add('theirs.account-2', 5);
  expect(await newest()).toBe(100n);
  expect(read).toEqual([1_001, 1, 1, 6]);
});

it('is an earlier one where the server has less than before', async () => {
  const { add, setBack, newest } = server();
  add('ours.account-1');
  add('theirs.account-1');
  add('ours.account-1', 2);
  expect(await newest()).toBe(400n);
  setBack(2);
  expect(await newest()).toBe(100n);
  setBack(0);
  expect(await newest()).toBe(0n);
});
