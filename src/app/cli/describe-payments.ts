/** The life of a payment as a page of the documentation, made from the tables that the decider itself reads. */
import { transactionEvents } from '../../domain/payments/events.ts';
import { life, type StageRow } from '../../domain/payments/life/life.ts';
import { type RefundRow, refundLife } from '../../domain/payments/life/refund-life.ts';

type Move = { readonly from: string; readonly type: string; readonly when: string; readonly to: string };
type Moves = StageRow['moves'] | RefundRow['moves'];

const stages: readonly (readonly [string, StageRow])[] = Object.entries(life);
const begun = stages.filter(([stage]) => stage !== 'none');
const withRail = begun.filter(([, { waitsFor }]) => waitsFor === 'rail');
const refunds: readonly (readonly [string, RefundRow])[] = Object.entries(refundLife);

const movesOf = (table: readonly (readonly [string, { readonly moves: Moves }])[]): readonly Move[] =>
  table.flatMap(([from, row]) =>
    Object.entries(row.moves).flatMap(([type, to]) => {
      if (typeof to === 'string') return [{ from, type, when: '', to }];
      return [
        { from, type, when: ', not yet under way', to: to.notYet },
        { from, type, when: ', under way', to: to.underway },
      ];
    }),
  );

export function describePayments(): string {
  return [
    '# The stages of a payment',
    '',
    'Made from `src/domain/payments/life/life.ts` and `refund-life.ts` by `npm run docs:generate`. What is not here does not',
    'happen: no command causes it, and a stream that had it could not be read. Which kind of payment takes which way, and',
    'what each event posts, is in [the life of a payment](../explanation/life-of-a-payment.md).',
    '',
    ...diagram(paymentArrows()),
    '',
    '`reported` is no stage: what the rail may say is the same for every payment that is with it. Events that keep the stage',
    'are in the table of moves only.',
    '',
    '## Stages',
    '',
    'The interface shows the status of a stage, not its name.',
    '',
    '| Stage | Status | Waits for | Means |',
    '| --- | --- | --- | --- |',
    ...begun.map(
      ([stage, { status, waitsFor, meaning }]) =>
        `| \`${stage}\` | \`${status}\` | ${waitsFor === 'nobody' ? '–' : `the ${waitsFor}`} | ${meaning} |`,
    ),
    '',
    '## Moves',
    '',
    ...tableOf(movesOf(stages)),
    '',
    '## Refund',
    '',
    'A refund is beside the stage. It begins with an event that names an amount; a payment that had taken nothing owes none.',
    'An event that both tables have must be open in both.',
    '',
    ...diagram(arrowsOf(movesOf(refunds))),
    '',
    '| Refund | Means |',
    '| --- | --- |',
    ...refunds.map(([status, { meaning }]) => `| ${nameOf(status)} | ${meaning} |`),
    '',
    ...tableOf(movesOf(refunds)),
    '',
  ].join('\n');
}

const isBeginning = (name: string) => name === 'none' || name === 'NONE';
const nameOf = (name: string) => (isBeginning(name) ? '–' : `\`${name}\``);

/** One line for each event and what it leads to, in the order in which the events are declared. */
function tableOf(moves: readonly Move[]): readonly string[] {
  const types = Object.keys(transactionEvents);
  const sorted = moves.toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type));
  const event = ({ type, when }: Move) => `[${type}](../events/${type}.json)${when}`;
  const target = ({ from, to }: Move) => (from === to ? 'the same' : nameOf(to));
  const groups = Map.groupBy(sorted, (move) => `${event(move)} ${target(move)}`);
  const lines = [...groups.values()].map((group) => {
    const from = group.map((move) => nameOf(move.from)).join(', ');
    return group.slice(0, 1).map((move) => `| ${event(move)} | ${from} | ${target(move)} |`);
  });
  return ['| Event | From | To |', '| --- | --- | --- |', ...lines.flat()];
}

const diagram = (lines: readonly string[]) => [
  '```mermaid',
  'stateDiagram-v2',
  ...lines.map((line) => `    ${line}`),
  '```',
];

/** What may come of every payment that is with the rail is drawn once. */
function paymentArrows(): readonly string[] {
  const moves = movesOf(stages).filter(({ from, to }) => from !== to);
  const fromRail = (move: Move) =>
    withRail.every(([stage]) =>
      moves.some((one) => one.from === stage && one.type === move.type && one.to === move.to),
    );
  const isWithRail = ({ from }: Move) => withRail.some(([stage]) => stage === from);
  const shared = moves.filter((move) => isWithRail(move) && fromRail(move));
  const reported = movesOf(withRail.slice(0, 1)).filter(fromRail);
  return [
    'state reported <<choice>>',
    ...arrowsOf(moves.filter((move) => !shared.includes(move))),
    ...withRail.map(([stage]) => `${stage} --> reported: the rail reports`),
    ...arrowsOf(reported.map(({ type, when, to }) => ({ from: 'reported', type, when, to }))),
    ...begun.filter(([, { waitsFor }]) => waitsFor === 'nobody').map(([stage]) => `${stage} --> [*]`),
  ];
}

/** One arrow for all events that lead from one place to the same other. */
function arrowsOf(all: readonly Move[]): readonly string[] {
  const groups = Map.groupBy(all, ({ from, to }) => `${isBeginning(from) ? '[*]' : from} --> ${to}`);
  return [...groups].map(
    ([arrow, grouped]) => `${arrow}: ${grouped.map(({ type, when }) => `${type}${when}`).join('<br/>')}`,
  );
}
