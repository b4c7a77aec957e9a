/**
 * The way of processes to servers elsewhere: what they connect to by an address of the simulation waits for its turn, and
 * comes there over a pair of streams. All other connections are as ever.
 */

import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { processOf, runAsNobody, type SimulatedProcess } from '../../engine/process.ts';
import { callsOf, type Turns } from '../../engine/turns.ts';
import { connect, type End } from './connection.ts';
import { routeFetch } from './fetch.ts';

/** Who is there at an address. */
export type Place = {
  /** Whether a connection comes to something now. */
  readonly isThere: () => boolean;
  readonly accept: (theirs: End) => void;
};

/** By their addresses. */
export type Places = ReadonlyMap<string, Place>;

type Deps = { readonly turns: Pick<Turns, 'wait' | 'stir'>; readonly places: Places };

/** All connections to the places go this way, until the end. */
export function routeConnections({ turns, places }: Deps): { readonly end: () => void } {
  const { connect: original } = net;
  const turn = callsOf(turns, 'connection', () => undefined);
  let ports = 40_000;

  const reach = (process: SimulatedProcess, place: Place, connected?: () => void) => {
    const [ours, theirs] = connect({ process, port: ++ports, moved: turns.stir }, runAsNobody);
    if (connected) ours.once('connect', connected);
    void turn(process).then(() => {
      if (ours.destroyed) return;
      if (!place.isThere()) return void ours.as(() => ours.destroy(refusal()));
      runAsNobody(() => place.accept(theirs));
      ours.as(() => ours.emit('connect'));
    });
    return ours;
  };
  const routed = (...args: Parameters<typeof net.connect>) => {
    const [options, connected] = args as unknown as [{ host?: string }, (() => void)?];
    const process = processOf();
    const place = places.get(options.host ?? '');
    return process && place ? reach(process, place, connected) : original(...args);
  };
  Object.assign(net, { connect: routed });
  syncBuiltinESMExports();
  const fetching = routeFetch();
  return {
    end() {
      fetching.end();
      Object.assign(net, { connect: original });
      syncBuiltinESMExports();
    },
  };
}

const refusal = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
