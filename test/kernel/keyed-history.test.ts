import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingFilter } from '../../src/kernel/growing-filter.ts';
import { KeyedHistory } from '../../src/kernel/keyed-history.ts';
import { holds } from '../support/values/property.ts';

type History = KeyedHistory<string>;

const writtenFor = (key: string) => `of ${key}`;
const historyOf = (...keys: string[]): History =>
  keys.reduce((history, key) => history.with(key, writtenFor(key)), KeyedHistory.empty<string>());
const held = (history: History, keys: readonly string[]) =>
  keys.filter((key) => history.get(key) !== undefined);

/** The closing of a history as it stands. */
function closingOf(history: History, revision = 0) {
  const filter = new GrowingFilter();
  for (const [key] of history.all()) filter.add(key);
  return { revision, eventId: 'event', count: history.count, filter };
}

describe('a history', () => {
  it('has what was written last, in this version and those after it', () => {
    const first = historyOf('a');
    const second = first.with('a', 'new').with('b', 'late');
    expect([first.get('a'), first.get('b')]).toEqual([writtenFor('a'), undefined]);
    expect(second.all()).toEqual([
      ['a', 'new'],
      ['b', 'late'],
    ]);
    expect([first.count, second.count]).toEqual([1, 3]);
  });

  it.each(['__proto__', 'constructor', ''])('takes %j as a key like any other', (key) => {
    expect(held(historyOf('a'), [key])).toEqual([]);
    expect(held(historyOf(key), [key])).toEqual([key]);
  });

  it('never sees what a branch that was given up has written', () => {
    const common = historyOf('a');
    const givenUp = common.with('b', 'b').with('c', 'c');
    const kept = common.with('d', 'd').with('c', 'another');
    expect(held(kept, ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd']);
    expect(kept.get('c')).toBe('another');
    expect(held(givenUp, ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c']);
  });

  it('is like an immutable map, whatever versions are made from whichever', () => {
    const step = fc.record({
      from: fc.nat(),
      key: fc.constantFrom(...'abcdefgh'),
      value: fc.constantFrom('x', 'y'),
    });
    holds(fc.property(fc.array(step, { maxLength: 40 }), sameAsImmutableMaps), 500);
  });
});

describe('a history after a closing', () => {
  const before = historyOf('a', 'b');
  const after = before.with('c', 'new').after(closingOf(before), () => false);

  it('has what came since, and knows what it cannot know', () => {
    expect(held(after, ['a', 'b', 'c', 'd'])).toEqual(['c']);
    expect(['a', 'b', 'c', 'd'].filter((key) => after.isUnknown(key))).toEqual(['a', 'b']);
    expect(after.since()).toEqual([['c', 'new']]);
    expect(after.size).toBe(1);
  });

  it('counts on from where it was', () => expect([after.count, after.with('d', 'd').count]).toEqual([3, 4]));

  it('keeps what has to stay, without taking it for new', () => {
    const stays = before.after(closingOf(before), (value) => value === writtenFor('a'));
    expect(stays.all()).toEqual([['a', writtenFor('a')]]);
    expect(stays.since()).toEqual([]);
    expect(stays.with('a', 'changed').since()).toEqual([['a', 'changed']]);
  });

  it('has what was recalled until it is settled, and knows then what was never written', () => {
    const recalled = after.recalling(
      new Map([
        ['a', 'found'],
        ['b', undefined],
      ]),
    );
    expect([recalled.get('a'), recalled.get('b')]).toEqual(['found', undefined]);
    expect(['a', 'b'].some((key) => recalled.isUnknown(key))).toBe(false);
    expect(recalled.with('d', 'd').get('a')).toBe('found');
    expect(recalled.since()).toEqual([['c', 'new']]);
    expect(recalled.settled().isUnknown('a')).toBe(true);
    expect(after.settled()).toBe(after);
  });

  it('is the same when it is read again', () => {
    const again = KeyedHistory.after(closingOf(before), [['b', writtenFor('b')]]);
    expect([again.count, again.since(), again.get('b')]).toEqual([2, [], writtenFor('b')]);
    expect([again.isUnknown('a'), again.isUnknown('b')]).toEqual([true, false]);
  });
});

type Step = { readonly from: number; readonly key: string; readonly value: string };

/** Makes each version from an earlier one, chosen at random, and compares all of them with plain copies at the end. */
function sameAsImmutableMaps(steps: readonly Step[]): void {
  const versions = [{ history: KeyedHistory.empty<string>(), model: new Map<string, string>() }];
  for (const { from, key, value } of steps) {
    const base = versions[from % versions.length];
    if (!base) continue;
    versions.push({ history: base.history.with(key, value), model: new Map([...base.model, [key, value]]) });
  }
  for (const { history, model } of versions)
    for (const key of 'abcdefgh') expect(history.get(key)).toBe(model.get(key));
}
