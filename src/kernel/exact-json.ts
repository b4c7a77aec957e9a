/**
 * States as text that gives the same state again: `bigint`, `Date`, `Map` and `Set` as well as what JSON has. Members
 * that are `undefined` are left out.
 */
import { invariant } from './invariant.ts';

/** Throws `InvariantViolation` for what could not be read again. */
export const writeExactly = (value: unknown): string => JSON.stringify(written(value));

/** Throws for text that `writeExactly` has not written. */
export const readExactly = (text: string): unknown => read(JSON.parse(text));

function written(value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'bigint') return `n${value}`;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  invariant(typeof value === 'object', `a ${typeof value} in a state`);
  if (value instanceof Date) return `d${value.toISOString()}`;
  if (Array.isArray(value)) return ['a', ...value.map(written)];
  if (value instanceof Map) return ['m', ...[...value].map(([key, one]) => [written(key), written(one)])];
  if (value instanceof Set) return ['s', ...[...value].map(written)];
  invariant(
    [Object.prototype, null].includes(Object.getPrototypeOf(value)),
    'an object of a class in a state',
  );
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, written(one)]));
}

function read(value: unknown): unknown {
  if (typeof value === 'string') return readText(value.slice(0, 1), value.slice(1));
  if (Array.isArray(value)) return readList(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one)]));
}

function readText(tag: string, text: string): unknown {
  if (tag === 's') return text;
  if (tag === 'n') return BigInt(text);
  invariant(tag === 'd', `the tag ${tag} before a text`);
  return new Date(text);
}

function readList([tag, ...items]: readonly unknown[]): unknown {
  if (tag === 'a') return items.map(read);
  if (tag === 's') return new Set(items.map(read));
  invariant(tag === 'm', `the tag ${tag} before a list`);
  return new Map((items as [unknown, unknown][]).map(([key, one]) => [read(key), read(one)]));
}
