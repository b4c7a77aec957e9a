import { getRandomValues, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemIds } from '../../../../src/kernel/ids.ts';
import { seedChance } from './seeded-chance.ts';

const draws = {
  'random bytes': () => randomBytes(8).toString('hex'),
  'random values of the web': () => Buffer.from(getRandomValues(new Uint8Array(8))).toString('hex'),
  'random numbers': () => String(randomInt(1_000_000_000)),
  'random uuids': () => randomUUID(),
  'identifiers of the service': () => systemIds.uuid(),
};

/** Beyond what is drawn for many at once. */
const rounds = 30;
const drawnAtOnce = 20;

it.each(Object.entries(draws))('gives the same %s for a seed, whatever was drawn before', (_, draw) => {
  const all = Array.from({ length: rounds }, () => {
    const chance = seedChance(3);
    try {
      return Array.from({ length: drawnAtOnce }, draw).join();
    } finally {
      chance.end();
    }
  });
  expect(new Set(all).size).toBe(1);
});

it.each(Object.entries(draws))('gives %s of their own once it has ended', (_, draw) => {
  seedChance(3).end();
  const first = draw();
  seedChance(3).end();
  expect(draw()).not.toBe(first);
});
