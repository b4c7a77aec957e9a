import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntryIndex } from '../../../src/domain/books/entry-index.ts';
import { patienceMs } from '../../support/patience.ts';
import { holds } from '../../support/property.ts';

const by = (id: string) => `request for ${id}`;
const indexOf = (...ids: string[]) => ids.reduce((index, id) => index.with(id, by(id)), EntryIndex.empty);
const held = (index: EntryIndex, ids: readonly string[]) =>
  ids.filter((id) => index.bookedBy(id) !== undefined);

describe('an entry index', () => {
  it('starts empty, and stays so for those who hold it', () => {
    indexOf('a', 'b');
    expect(EntryIndex.empty.size).toBe(0);
    expect(EntryIndex.empty.bookedBy('a')).toBeUndefined();
  });

  it('remembers who booked an entry', () => {
    const index = indexOf('a').with('b', 'request-2');
    expect([index.bookedBy('a'), index.bookedBy('b'), index.bookedBy('c')]).toEqual([
      by('a'),
      'request-2',
      undefined,
    ]);
  });

  it('counts its entries', () => expect(indexOf('a', 'b', 'c').size).toBe(3));

  it.each(['__proto__', 'constructor', ''])('takes %j as an id like any other', (id) => {
    expect(held(indexOf('a'), [id])).toEqual([]);
    expect(held(indexOf(id), [id])).toEqual([id]);
  });

  it('does not see what a later version holds', () => {
    const early = indexOf('a');
    const late = early.with('b', by('b'));
    expect([held(early, ['a', 'b']), held(late, ['a', 'b'])]).toEqual([['a'], ['a', 'b']]);
  });

  it('never sees the entries of a branch that was given up', () => {
    const common = indexOf('a');
    const givenUp = common.with('b', by('b')).with('c', by('c'));
    const kept = common.with('d', by('d')).with('c', 'another request');
    expect(held(kept, ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd']);
    expect(kept.bookedBy('c')).toBe('another request');
    expect(held(givenUp, ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c']);
  });

  it('gives branches from the empty version nothing in common', () => {
    expect([held(indexOf('a'), ['a', 'b']), held(indexOf('b'), ['a', 'b'])]).toEqual([['a'], ['b']]);
  });

  it('is like an immutable map, whatever versions are made from whichever', () => {
    const step = fc.record({
      from: fc.nat(),
      id: fc.constantFrom(...'abcdefgh'),
      who: fc.constantFrom('x', 'y'),
    });
    holds(fc.property(fc.array(step, { maxLength: 40 }), sameAsImmutableMaps), 500);
  });

  it('grows in constant time', () => {
    const started = performance.now();
    let index = EntryIndex.empty;
    for (let n = 0; n < 50_000; n++) index = index.with(`entry-${n}`, 'request');
    expect(index.size).toBe(50_000);
    expect(performance.now() - started).toBeLessThan(patienceMs);
  });
});

type Step = { readonly from: number; readonly id: string; readonly who: string };

/** Makes each version from an earlier one, chosen at random, and compares all of them with plain copies at the end. */
function sameAsImmutableMaps(steps: readonly Step[]): void {
  const versions = [{ index: EntryIndex.empty, model: new Map<string, string>() }];
  for (const { from, id, who } of steps) {
    const base = versions[from % versions.length];
    if (!base || base.model.has(id)) continue;
    versions.push({ index: base.index.with(id, who), model: new Map([...base.model, [id, who]]) });
  }
  for (const { index, model } of versions) {
    expect(index.size).toBe(model.size);
    for (const id of 'abcdefgh') expect(index.bookedBy(id)).toBe(model.get(id));
  }
}
