/** The money's way as a picture: accounts as nodes, and an arrow from what was debited to what was credited. */
import { shortOf } from '../kernel/ids.ts';

export type Posting = { readonly account: string; readonly minor: number; readonly shown: string };
/** Postings of one event, which sum to zero in each currency. */
export type Movement = { readonly name: string; readonly postings: readonly Posting[] };

const rowHeight = 64;
const width = 640;
const nodeWidth = 190;

type Arrow = { readonly from: string; readonly to: string; readonly label: string; readonly step: number };

const nodeName = (account: string) => (account.includes(':') ? shortOf(account) : account);

/** What left an account goes to those that got something by the same event. */
function arrowsOf(movements: readonly Movement[]): readonly Arrow[] {
  return movements.flatMap(({ postings }, step) => {
    const givers = postings.filter(({ minor }) => minor < 0);
    const takers = postings.filter(({ minor }) => minor > 0);
    const giver = givers.length === 1 ? givers[0] : undefined;
    if (giver) return takers.map((to) => ({ from: giver.account, to: to.account, label: to.shown, step }));
    const [taker] = takers;
    return taker
      ? givers.map((from) => ({
          from: from.account,
          to: taker.account,
          label: from.shown.replace('−', ''),
          step,
        }))
      : [];
  });
}

export function MoneyWay({ movements }: { movements: readonly Movement[] }) {
  const arrows = arrowsOf(movements);
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
            <rect class="node" x={middle(account) - nodes / 2} y={6} width={nodes} height={36} rx={6} />
            <text x={middle(account)} y={29}>
              {nodeName(account)}
            </text>
          </g>
        ))}
        {arrows.map(({ from, to, label, step }, n) => {
          const y = 84 + n * rowHeight;
          return (
            <g key={`${step} ${from} ${to}`}>
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
