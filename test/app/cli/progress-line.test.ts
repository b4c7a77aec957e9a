import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../src/app/cli/commands/progress-line.ts';
import { progressOutput } from '../../../src/app/cli/commands/progress-output.ts';

describe('the line that shows how far a rebuild has come', () => {
  it.each([
    [
      'counts the events that are to come where positions have no gaps',
      { events: 50_000, done: 50_000n, total: 200_000n, seconds: 2 },
      '[######..................]  25 %  50,000 of 200,000 events, 25,000/s, 6 s left',
    ],
    [
      'shows the share of the position where they have',
      { events: 1_000, done: 750_000n, total: 1_000_000n, seconds: 1 },
      '[##################......]  75 %  1,000 events, 1,000/s, 1 s left',
    ],
    [
      'knows no rate at the very beginning',
      { events: 0, done: 0n, total: 10n, seconds: 0 },
      '[........................]   0 %  0 of 10 events',
    ],
    [
      'is full at the end',
      { events: 10, done: 10n, total: 10n, seconds: 1 },
      '[########################] 100 %  10 of 10 events, 10/s, 0 s left',
    ],
    [
      'gives long times in minutes',
      { events: 100, done: 100n, total: 1_000n, seconds: 10 },
      '[##......................]  10 %  100 of 1,000 events, 10/s, 1 min 30 s left',
    ],
    [
      'and in hours',
      { events: 1, done: 1n, total: 1_001n, seconds: 10 },
      '[........................]   0 %  1 of 1,001 events, 0/s, 2 h 46 min left',
    ],
    [
      'takes an empty log for read',
      { events: 0, done: 0n, total: 0n, seconds: 0 },
      '[########################] 100 %  0 of 0 events',
    ],
  ])('%s', (_what, read, line) => expect(progressLine(read)).toBe(line));
});

function outputOn(isTTY: boolean) {
  const written: string[] = [];
  let ms = 0;
  const write = (text: string) => written.push(text) > 0;
  const output = progressOutput({ isTTY, write } as never, () => ms);
  const at = (next: number, events: number) => {
    ms = next;
    output.show({ events, done: BigInt(events), total: 1_000n });
  };
  return { written, output, at };
}

describe('the progress of a rebuild', () => {
  it('is one line on a terminal, written again ten times a second', () => {
    const { written, output, at } = outputOn(true);
    at(50, 1);
    at(100, 100);
    at(150, 150);
    at(160, 1_000);
    output.end();
    expect(written).toEqual([
      expect.stringMatching(/^\r.* {2}100 of 1,000 events, 1,000\/s, 1 s left$/),
      expect.stringMatching(/^\r.* {2}1,000 of 1,000 events/),
      '\n',
    ]);
  });

  it('is a line every five seconds elsewhere', () => {
    const { written, output, at } = outputOn(false);
    at(4_999, 100);
    at(5_000, 500);
    at(6_000, 1_000);
    output.end();
    expect(written).toEqual([expect.stringMatching(/ {2}50 % {2}500 of 1,000 events, 100\/s, 5 s left\n$/)]);
  });
});
