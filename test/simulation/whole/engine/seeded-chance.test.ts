import { getRandomValues, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
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

it('gives the same signed tokens for a seed, which everybody can verify', async () => {
  const tokens = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const chance = seedChance(3);
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const signer = await importJWK(await exportJWK(privateKey), 'ES256');
    const token = await new SignJWT({ sub: 'somebody' }).setProtectedHeader({ alg: 'ES256' }).sign(signer);
    chance.end();
    expect((await jwtVerify(token, publicKey)).payload).toEqual({ sub: 'somebody' });
    tokens.add(token);
  }
  expect(tokens.size).toBe(1);
});

it.each(Object.entries(draws))('gives %s of their own once it has ended', (_, draw) => {
  seedChance(3).end();
  const first = draw();
  seedChance(3).end();
  expect(draw()).not.toBe(first);
});
