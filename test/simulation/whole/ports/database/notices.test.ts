import { beforeEach, describe, expect, it } from 'vitest';
import { createNotices, type Notices, telling } from './notices.ts';

const notify = 'select pg_notify($1, $2)';
const news = { channel: 'news', payload: 'one' };

let notices: Notices<string>;
const says = (text: string, isOver: boolean, values: readonly unknown[] = [], rows: readonly object[] = []) =>
  notices.said('writer', { text, values, rows: rows as Readonly<Record<string, unknown>>[], isOver });

beforeEach(() => {
  notices = createNotices();
});

describe('what a connection says', () => {
  it('is heard at once outside of a transaction', () => {
    expect(says(notify, true, ['news', 'one'])).toEqual([news]);
    expect(says('select', true)).toEqual([]);
  });

  it('is heard where the server alone knows what it is', () => {
    const text = "select pg_notify($1, least(n, $2)::text) from numbers where name = 'news'";
    expect(telling(text)).toBe(
      "select pg_notify($1, least(n, $2)::text), $1::text as channel, least(n, $2)::text as payload from numbers where name = 'news'",
    );
    expect(says(text, true, ['news', 'two'], [news])).toEqual([news]);
    expect(() => says("select 1, pg_notify('news', 'one')", true)).toThrow('nobody knows');
  });

  it('is heard when its transaction is over, each thing once', () => {
    for (const _ of [1, 2]) expect(says(notify, false, ['news', 'one'])).toEqual([]);
    expect(says('commit', true)).toEqual([news]);
  });

  it.each(['rollback', 'rollback to savepoint as_if'])('is not heard after a %s', (text) => {
    says(notify, false, ['news', 'one']);
    expect(says(text, false)).toEqual([]);
    expect(says('commit', true)).toEqual([]);
  });

  it('is not heard where the transaction fails', () => {
    says(notify, false, ['news', 'one']);
    notices.takeBack('writer');
    expect(says('commit', true)).toEqual([]);
  });
});

it('a channel is listened to until its listener ceases to', () => {
  expect(notices.listens('one', 'select')).toBe(false);
  expect(notices.listens('one', 'listen news')).toBe(true);
  expect(notices.listens('other', 'listen "news"')).toBe(true);
  expect(notices.listenersOf('news')).toEqual(['one', 'other']);
  notices.listens('one', 'unlisten "news"');
  expect(notices.listenersOf('news')).toEqual(['other']);
});
