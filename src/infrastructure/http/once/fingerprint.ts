/** What a keyed request has asked for, so that a repeat that asks for something else can be told. */
import { hash } from 'node:crypto';
import { canonical } from '../../../kernel/json.ts';

/** A digest for each field of a body, as JSON: it says whether a field is the same, and not what it is. */
export type Fingerprint = string;

const digestLength = 16;
/** Fields beyond these count as one. */
const fieldsMax = 50;
/** So many are told. */
const toldMax = 10;
/** What stands for a body that is no object, and for fields whose names no header could carry. */
const whole = 'body';
const plainName = /^\w{1,60}$/;

const digestOf = (value: unknown) => hash('sha256', canonical(value), 'base64url').slice(0, digestLength);

/** `body` is what was sent, parsed; `undefined` where it is not JSON or there is none. */
export function fingerprintOf(body: unknown): Fingerprint {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return JSON.stringify({ [whole]: digestOf(body ?? null) });
  const fields = Object.entries(body);
  const isPlain = fields.length <= fieldsMax && fields.every(([name]) => plainName.test(name));
  const told = isPlain ? fields : [[whole, body] as const];
  return JSON.stringify(Object.fromEntries(told.map(([name, value]) => [name, digestOf(value)])));
}

/** The fields in which two bodies differ, by name: as many as may be told. */
export function differingFields(one: Fingerprint, other: Fingerprint): readonly string[] {
  if (one === other) return [];
  const [a, b] = [one, other].map((fingerprint) => new Map(Object.entries(JSON.parse(fingerprint))));
  const names = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])]);
  const differing = [...names].filter((name) => a?.get(name) !== b?.get(name));
  return differing.sort().slice(0, toldMax);
}
