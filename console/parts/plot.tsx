/** A plot over time, with the last value and its range in words beside it. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Minor } from '../kernel/money.ts';

type PlotProps<Value extends Minor> = {
  readonly title: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Drawn as numbers, and said as they are. */
  readonly values: readonly (Value | null)[];
  /** What stands at the axis lies between values, and is a number. */
  readonly shown: (value: Value | number) => string;
  readonly isStepped?: boolean;
  readonly height?: number;
};

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function optionsOf<Value extends Minor>(
  { shown, isStepped = false, height = 140 }: PlotProps<Value>,
  width: number,
): uPlot.Options {
  const axis = {
    stroke: () => colour('--muted'),
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false },
    axes: [axis, { ...axis, size: 70, values: (_plot, ticks) => ticks.map(shown) }],
    series: [
      {},
      { stroke: () => colour('--accent'), width: 2, points: { show: false }, ...(paths && { paths }) },
    ],
  };
}

const leastOf = <Value extends Minor>(values: readonly Value[], one: Value) =>
  values.reduce((a, b) => (b < a ? b : a), one);
const mostOf = <Value extends Minor>(values: readonly Value[], one: Value) =>
  values.reduce((a, b) => (b > a ? b : a), one);

export function Plot<Value extends Minor>(props: PlotProps<Value>) {
  const { title, times, values, shown } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    plot.current = new uPlot(optionsOf(props, element.clientWidth), [[], []], element);
    const sized = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: props.height ?? 140 }),
    );
    sized.observe(element);
    return () => {
      sized.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useEffect(
    () => plot.current?.setData([[...times], values.map((value) => (value === null ? null : Number(value)))]),
    [times, values],
  );
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  const said =
    last === undefined
      ? 'no values yet'
      : `now ${shown(last)}, between ${shown(leastOf(known, last))} and ${shown(mostOf(known, last))}`;
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong> <span class="muted">{said}</span>
      </figcaption>
      <div ref={frame} aria-hidden="true" />
    </figure>
  );
}
