import type { Schemas } from '@daybook/client';
import { useMemo } from 'preact/hooks';
import { daybook } from '../data/client.ts';
import { useLoad } from '../data/load.ts';
import { Plot } from '../parts/plot.tsx';
import { Shown } from '../parts/states.tsx';

type Point = Schemas['HealthPoint'];

const perSecond = (value: number) => `${Number(value.toFixed(2))}/s`;
const milliseconds = (value: number) => `${Number(value.toFixed(1))} ms`;
const count = (value: number) => String(Math.round(value));

const plots: readonly (readonly [Exclude<keyof Point, 'at'>, string, (value: number) => string])[] = [
  ['requestsPerSecond', 'Requests', perSecond],
  ['paymentsPerSecond', 'Payments begun', perSecond],
  ['p50Ms', 'Latency, median', milliseconds],
  ['p99Ms', 'Latency, 99 of 100', milliseconds],
  ['projectionLagEvents', 'Read models behind the log', count],
  ['queueDepth', 'Timers due', count],
  ['deliveriesWaiting', 'Webhooks waiting', count],
  ['deliveriesFailed', 'Webhooks failed', count],
];

export function HealthPage() {
  const health = useLoad('health', (signal) => daybook.getConsoleHealth({ signal }), { everyMs: 5_000 });
  return (
    <>
      <h1>Health</h1>
      <p class="muted">The last 15 minutes, as the process that answers has seen this platform.</p>
      <Shown of={health}>{({ points }) => <Plots points={points} />}</Shown>
    </>
  );
}

function Plots({ points }: { points: readonly Point[] }) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points]);
  return (
    <div class="grid">
      {plots.map(([name, title, shown]) => (
        <section class="card" key={name}>
          <Plot title={title} times={times} values={points.map((point) => point[name])} shown={shown} />
        </section>
      ))}
    </div>
  );
}
