import { expect, it } from 'vitest';
import { createLostRows } from '../../../src/infrastructure/event-store/lost-rows.ts';

/** A log of which only the end counts, and servers that are told apart by when they started. */
function following() {
  const at = { end: 5n, ms: 0 };
  const lost = createLostRows({ last: async () => at.end }, () => at.ms);
  const connect = (server: string) => lost.askNew({ query: async () => ({ rows: [{ server }] }) } as never);
  return { at, lost, connect };
}

it('takes rows of all that was there when the process began to be lost, and none of what came later', async () => {
  const { at, lost, connect } = following();
  expect(lost.until()).toBe(0n);
  await connect('first');
  expect(lost.until()).toBe(5n);
  at.end = 9n;
  await connect('first');
  expect(lost.until()).toBe(5n);
});

it('takes rows of all that is there to be lost when a connection leads to another server', async () => {
  const { at, lost, connect } = following();
  await connect('first');
  at.end = 9n;
  await connect('second');
  expect(lost.until()).toBe(9n);
});

it('also takes those to be lost that somebody is still at with the server that is gone', async () => {
  const { at, lost, connect } = following();
  await connect('first');
  expect(lost.mayBeOf(6n)).toBe(true);
  at.ms = 60_000;
  expect([lost.mayBeOf(5n), lost.mayBeOf(6n)]).toEqual([true, false]);
});

it('refuses the connection, and asks again at the next one, where the log does not say how far it goes', async () => {
  const ends = [Promise.reject(new Error('away')), Promise.resolve(3n)];
  const lost = createLostRows({ last: () => ends.shift() ?? Promise.resolve(0n) });
  const client = { query: async () => ({ rows: [{ server: 'first' }] }) } as never;
  await expect(lost.askNew(client)).rejects.toThrow('away');
  expect(lost.until()).toBe(0n);
  await lost.askNew(client);
  expect(lost.until()).toBe(3n);
});
