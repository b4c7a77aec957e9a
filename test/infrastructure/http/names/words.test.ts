import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wordsOf } from '../../../../src/infrastructure/http/names/words.ts';

describe('the words of schemas', () => {
  it('are those of enumerations and literals, at every depth', () => {
    type Tree = { readonly kind: 'LEAF'; readonly within?: Tree | undefined };
    const tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ kind: z.literal('LEAF'), within: tree.optional() }),
    );
    const one = z.object({
      side: z.enum(['LEFT', 'RIGHT']).optional(),
      list: z.array(z.union([z.literal('ONE'), z.literal(2), z.string()])).default([]),
      changed: z.string().pipe(z.enum(['FROM_TEXT'])),
      by: z.record(z.enum(['KEY']), z.int()),
      tree,
    });
    expect([...wordsOf([undefined, one])].toSorted()).toEqual(
      ['FROM_TEXT', 'KEY', 'LEAF', 'LEFT', 'ONE', 'RIGHT'].toSorted(),
    );
    expect([...wordsOf([z.string(), z.object({ free: z.string() })])]).toEqual([]);
  });
});
