import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { onFile } from '../../src/kernel/on-file.ts';
import { erasedWord } from '../../src/kernel/personal.ts';

const address = z
  .object({ line1: z.string().max(3), country: z.string().regex(/^[A-Z]{2}$/) })
  .meta({ id: 'Place' });
const person = z.object({
  kind: z.literal('PERSON'),
  bornOn: z.iso.date(),
  email: z.email().optional(),
  role: z.enum(['PAYER', 'PAYEE']).meta({ description: 'Of the payment.', examples: ['PAYER'] }),
  address: address.optional(),
  roles: z.array(z.enum(['A', 'B'])).max(1),
});
const business = z.object({ kind: z.literal('BUSINESS'), name: z.string().min(1), address });
const party = z.discriminatedUnion('kind', [person, business]).meta({ id: 'Party' });

const gone = { line1: erasedWord, country: erasedWord };

describe('what is on file', () => {
  it('may have been erased, wherever a text or a choice stands', () => {
    const one = {
      kind: 'PERSON',
      bornOn: erasedWord,
      email: erasedWord,
      role: erasedWord,
      address: gone,
      roles: [erasedWord, 'A'],
    };
    for (const value of [one, { kind: 'BUSINESS', name: erasedWord, address: gone }]) {
      expect(party.safeParse(value).success).toBe(false);
      expect(onFile(party).parse(value)).toEqual(value);
    }
  });

  it.each([
    ['of no kind', { kind: erasedWord, name: 'a', address: gone }],
    ['without what it must have', { kind: 'BUSINESS', name: 'a' }],
    ['with another choice', { kind: 'PERSON', bornOn: '', role: 'OTHER', roles: [] }],
    ['with a number for a text', { kind: 'BUSINESS', name: 1, address: gone }],
  ])('is nothing %s', (_what, value) => {
    expect(onFile(party).safeParse(value).success).toBe(false);
  });

  it('is described as what is asked for is, under a name of its own', () => {
    expect(onFile(party).meta()).toMatchObject({ id: 'PartyOnFile' });
    expect(onFile(address).meta()?.description).toContain(erasedWord);
    expect(onFile(person).shape.role.meta()).toEqual({ description: 'Of the payment.', examples: ['PAYER'] });
    expect(onFile(person).shape.bornOn.meta()).toEqual({ description: 'ISO 8601 date.' });
    expect(onFile(address)).toBe(onFile(address));
  });
});
