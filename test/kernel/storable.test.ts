import { describe, expect, it } from 'vitest';
import { instant } from '../../src/kernel/codecs.ts';
import { storableJson } from '../../src/kernel/json.ts';
import { isOfCalendar } from '../../src/kernel/moments.ts';

describe('JSON of what cannot be stored', () => {
  it.each([
    ['a NUL', 'a\u0000b', 'a\ufffdb'],
    ['the first half of a pair', 'a\ud83d', 'a\ufffd'],
    ['the second half of a pair', '\ude00b', '\ufffdb'],
    ['several', '\u0000\u0000\ud800\ud800', '\ufffd\ufffd\ufffd\ufffd'],
    ['one after a backslash', '\\\u0000', '\\\ufffd'],
  ])('%s is replaced', (_what, text, shown) => {
    expect(JSON.parse(storableJson(JSON.stringify([text, { [text]: text }])))).toEqual([
      shown,
      { [shown]: shown },
    ]);
  });

  it.each(['', 'Grace', '😀', '\\u0000', '\\\\ud800', '\u001f\t', '\\'])('%j stays as it is', (text) => {
    const json = JSON.stringify([text]);
    expect(storableJson(json)).toBe(json);
  });
});

describe('a moment', () => {
  it.each(['0001-01-01T00:00:00.000Z', '2026-11-26T10:00:00.123Z', '9999-12-31T23:59:59.999Z'])(
    '%s is recorded and read again',
    (text) => {
      const date = new Date(text);
      expect(isOfCalendar(date)).toBe(true);
      expect(instant.encode(date)).toBe(text);
      expect(instant.decode(text)).toEqual(date);
    },
  );

  it.each(['0000-12-31T23:59:59.999Z', '-000001-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
    '%s is not recorded',
    (text) => {
      expect(isOfCalendar(new Date(text))).toBe(false);
      expect(() => instant.encode(new Date(text))).toThrow('years 1 to 9999');
    },
  );

  it('of year 0, from a former version, is read as the beginning of year 1', () => {
    expect(instant.decode('0000-06-01T00:00:00.000Z').toISOString()).toBe('0001-01-01T00:00:00.000Z');
  });
});
