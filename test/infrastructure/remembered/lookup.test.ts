import { describe, expect, it } from 'vitest';
import { rememberedLookup } from '../../../src/infrastructure/remembered/lookup.ts';

/** A lookup whose questions are answered by the test, in the order in which they were asked. */
function asked() {
  const questions: PromiseWithResolvers<string | undefined>[] = [];
  const lookup = rememberedLookup<string>({ max: 10, ttlMs: 60_000 }, () => {
    const question = Promise.withResolvers<string | undefined>();
    questions.push(question);
    return question.promise;
  });
  return { lookup, questions, answer: (n: number, value?: string) => questions[n]?.resolve(value) };
}

describe('a lookup that is remembered', () => {
  it('asks once for all who want the same at a time', async () => {
    const { lookup, questions, answer } = asked();
    const found = [lookup.find('a'), lookup.find('a')];
    answer(0, 'one');
    expect(await Promise.all(found)).toEqual(['one', 'one']);
    expect(await lookup.find('a')).toBe('one');
    expect(questions).toHaveLength(1);
  });

  it('remembers that there is nothing', async () => {
    const { lookup, questions, answer } = asked();
    const found = lookup.find('a');
    answer(0);
    expect([await found, await lookup.find('a')]).toEqual([undefined, undefined]);
    expect(questions).toHaveLength(1);
  });

  it.each(['forget', 'clear'] as const)(
    'asks anew after %s, whatever is said to who asked before',
    async (how) => {
      const { lookup, questions, answer } = asked();
      const before = lookup.find('a');
      lookup[how]('a');
      answer(0, 'old');
      expect(await before).toBe('old');
      const after = lookup.find('a');
      answer(1, 'new');
      expect([await after, await lookup.find('a'), questions.length]).toEqual(['new', 'new', 2]);
    },
  );

  it('asks anew after a failure', async () => {
    const { lookup, questions, answer } = asked();
    const failing = lookup.find('a');
    questions[0]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    const again = lookup.find('a');
    answer(1, 'one');
    expect(await again).toBe('one');
  });
});
