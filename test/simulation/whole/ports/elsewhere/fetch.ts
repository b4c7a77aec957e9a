/**
 * Each process has connections of its own for `fetch`. Its limits of minutes go by ticks that outlive a life, so they are
 * off: whoever asks counts the time.
 */
import { processOf, type SimulatedProcess } from '../../engine/process.ts';

type Dispatcher = { readonly dispatch: (...args: readonly unknown[]) => boolean };
type Agent = new (options: object) => Dispatcher;

// What carries it out is known, under one or several names, once it was used.
await fetch('data:,');
const names = Object.getOwnPropertySymbols(globalThis).filter(({ description }) =>
  description?.startsWith('undici.globalDispatcher.'),
);
const place = globalThis as unknown as Record<symbol, Dispatcher>;
const originals = new Map(names.flatMap((name) => (place[name] ? [[name, place[name]] as const] : [])));

const unbounded = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } };

/** Until the end. */
export function routeFetch(): { readonly end: () => void } {
  const [original] = originals.values();
  if (!original) throw new Error('it is not known by what fetch is carried out');
  const agents = new Map<SimulatedProcess, Dispatcher>();
  const agentOf = (process: SimulatedProcess | undefined): Dispatcher => {
    if (!process) return original;
    const agent = agents.get(process) ?? new (original.constructor as Agent)(unbounded);
    agents.set(process, agent);
    return agent;
  };
  const routed: Dispatcher = { dispatch: (...args) => agentOf(processOf()).dispatch(...args) };
  for (const name of originals.keys()) place[name] = routed;
  return {
    end() {
      for (const [name, before] of originals) place[name] = before;
    },
  };
}
