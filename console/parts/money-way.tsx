/** The money's way as a picture: accounts as nodes, and an arrow from what was debited to what was credited. */
import { shortOf } from '../kernel/ids.ts';
import { moneyOf } from '../kernel/money.ts';
import { type Posting, transfersOf } from '../kernel/transfers.ts';

const rowHeight = 64;
const width = 640;
const nodeWidth = 190;
const nodeHeight = 36;

const nodeName = (account: string) => (account.includes(':') ? shortOf(account) : account);

/** `movements` has the postings of one event each. */
export function MoneyWay({ movements }: { movements: readonly (readonly Posting[])[] }) {
  const arrows = movements.flatMap((postings, step) =>
    transfersOf(postings).map(({ from, to, minor, currency }) => ({
      from,
      to,
      step,
      label: moneyOf(minor, currency),
    })),
  );
  if (arrows.length === 0) return <p class="empty">No money has moved yet.</p>;
  const accounts = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))];
  const room = width / accounts.length;
  const middle = (account: string) => (accounts.indexOf(account) + 0.5) * room;
  const height = 70 + arrows.length * rowHeight;
  const said = arrows.map(({ from, to, label }) => `${label} from ${nodeName(from)} to ${nodeName(to)}`);
  const nodes = Math.min(nodeWidth, room - 12);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section class="scroll way" tabIndex={0} aria-label="The money's way">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said.join('; ')}>
        <defs>
          <marker
            id="head"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" class="head" />
          </marker>
        </defs>
        {accounts.map((account) => (
          <g key={account}>
            <line class="life" x1={middle(account)} x2={middle(account)} y1={44} y2={height} />
            <rect
              class="node"
              x={middle(account) - nodes / 2}
              y={6}
              width={nodes}
              height={nodeHeight}
              rx={6}
            />
            <NodeName of={nodeName(account)} x={middle(account)} />
          </g>
        ))}
        {arrows.map(({ from, to, label, step }, n) => {
          const y = 84 + n * rowHeight;
          return (
            <g key={`${step} ${n}`}>
              <line class="arrow" x1={middle(from)} x2={middle(to)} y1={y} y2={y} marker-end="url(#head)" />
              <text class="amount" x={(middle(from) + middle(to)) / 2} y={y - 8}>
                {label}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

/** The kind above the end of the id. */
function NodeName({ of, x }: { of: string; x: number }) {
  const words = of.split(' ');
  return (
    <>
      {words.map((word, n) => (
        <text key={word} x={x} y={6 + ((n + 1) * nodeHeight) / (words.length + 1) + 4}>
          {word}
        </text>
      ))}
    </>
  );
}
