import { describe, expect, it } from 'vitest';
import { describePayments } from '../../../src/app/cli/describe-payments.ts';
import { generatedFiles, staleFiles } from '../../../src/app/cli/generate-docs.ts';
import { life, type StageRow } from '../../../src/domain/payments/life/life.ts';
import { type RefundRow, refundLife } from '../../../src/domain/payments/life/refund-life.ts';

const path = 'reference/life-of-a-payment.md';
const page = describePayments();
const lines = page.split('\n');
const [diagram = '', refundDiagram = ''] = [...page.matchAll(/```mermaid\n(.*?)```/gs)].map(
  ([, text]) => text,
);

const nameOf = (name: string) => (name.toLowerCase() === 'none' ? '–' : `\`${name}\``);
type Moves = StageRow['moves'] | RefundRow['moves'];
const rows: readonly (readonly [string, { readonly moves: Moves }])[] = [
  ...Object.entries(life),
  ...Object.entries(refundLife),
];
const cells = rows.flatMap(([from, { moves }]) =>
  Object.entries(moves).flatMap(([type, to]) =>
    (typeof to === 'string' ? [to] : [to.underway, to.notYet]).map((next) => [from, type, next] as const),
  ),
);

describe('the page about the stages of a payment', () => {
  it.each(Object.entries(life).filter(([stage]) => stage !== 'none'))(
    'says what it is to be %s, and draws it',
    (stage, { status, meaning }) => {
      const [line = ''] = lines.filter((one) => one.startsWith(`| \`${stage}\` |`));
      expect(line).toContain(`| \`${status}\` |`);
      expect(line).toContain(`| ${meaning} |`);
      expect(diagram).toContain(` ${stage}`);
    },
  );

  it.each(cells)('has the move from %s by %s to %s', (from, type, to) => {
    const ofEvent = lines.filter((line) => line.startsWith(`| [${type}](../events/${type}.json)`));
    const targets = ofEvent.map((line) => line.split('|').slice(2, 4));
    const target = from === to ? 'the same' : nameOf(to);
    const found = targets.filter(
      ([froms = '', tos = '']) => froms.trim().split(', ').includes(nameOf(from)) && tos.trim() === target,
    );
    expect(found).toHaveLength(1);
  });

  it.each(cells.filter(([from, , to]) => from !== to))(
    'draws the move from %s by %s to %s',
    (from, type, to) => {
      const start = nameOf(from) === '–' ? '[*]' : from;
      const drawn = `${diagram}${refundDiagram}`.split('\n').map((line) => line.trim());
      const isDrawn = (begin: string) =>
        drawn.some((line) => line.startsWith(`${begin} --> ${to}: `) && line.includes(type));
      const isReported = drawn.includes(`${from} --> reported: the rail reports`) && isDrawn('reported');
      expect(isDrawn(start) || isReported).toBe(true);
    },
  );

  it('is among the generated files, and is the one in the repository', async () => {
    expect(generatedFiles().get(path)).toBe(page);
    expect(await staleFiles()).not.toContain(path);
  });
});
