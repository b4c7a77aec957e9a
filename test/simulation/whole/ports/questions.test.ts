import { expect, it } from 'vitest';
import { beginProcess } from '../engine/process.ts';
import type { Fault } from '../faults.ts';
import { NoAnswer, questionsTo } from './questions.ts';

/** The rail is asked; what waits for a turn has it at once, and is noted. */
async function askedWith(...faults: readonly Fault[]) {
  const waited: string[] = [];
  const asked: number[] = [];
  const question = questionsTo('rail', {
    turns: {
      wait: ({ name }, go) => {
        waited.push(name);
        void go();
      },
    },
    faults: { strikes: (fault) => faults.includes(fault) },
    look: () => 7,
  });
  const { process } = beginProcess('one');
  const answer = await question({
    process,
    ask: (seen) => asked.push(seen),
    hang: async () => -1,
    named: 'question',
  }).catch((error: unknown) => error);
  return { answer, asked, waited };
}

it('a question and its answer wait for a turn each', async () => {
  const waited = ['to rail question one', 'from rail question one'];
  expect(await askedWith()).toEqual({ answer: 1, asked: [7], waited });
});

it('a question that is repeated on its way is asked twice', async () => {
  expect(await askedWith('rail asked twice')).toMatchObject({ answer: 2, asked: [7, 7] });
});

it.each([
  ['rail gives no answer before it took it', []],
  ['rail gives no answer after it took it', [7]],
] as const)('has no answer where the %s', async (fault, asked) => {
  const told = await askedWith(fault);
  expect(told.answer).toBeInstanceOf(NoAnswer);
  expect(told.asked).toEqual(asked);
});

it('ends as whoever asks has it where the rail hangs', async () => {
  expect(await askedWith('rail hangs')).toMatchObject({ answer: -1, asked: [] });
});

it('is not harmed by what befalls another party', async () => {
  expect(await askedWith('receiver hangs', 'screening asked twice')).toMatchObject({ answer: 1, asked: [7] });
});
