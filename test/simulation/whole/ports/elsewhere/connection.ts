/** Both ends of a connection, without a network in between: each hears in the context of whoever has it. */
import { AsyncResource } from 'node:async_hooks';
import { Duplex } from 'node:stream';
import type { SimulatedProcess } from '../../engine/process.ts';

/** It has what libraries ask of a socket beside being a stream. */
export type End = ReturnType<typeof endOf>;

type Options = {
  /** Who has opened the connection. */
  readonly process: SimulatedProcess;
  readonly port: number;
  /** Told of all that goes to and fro. */
  readonly moved: () => void;
};

type Ends = { readonly isAlive: () => boolean; readonly other: () => End };

function endOf({ process, port, moved }: Options, { isAlive, other }: Ends) {
  const owner = new AsyncResource('SimulatedConnection');
  let idleMs = 0;
  let idle: NodeJS.Timeout | undefined;
  let hasAll = false;
  const stir = () => {
    moved();
    clearTimeout(idle);
    idle = idleMs > 0 ? setTimeout(() => end.emit('timeout'), idleMs) : undefined;
  };
  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => undefined,
    write(chunk, _, done) {
      stir();
      other().hear(chunk);
      done();
    },
    final(done) {
      other().hear(null);
      done();
    },
    destroy(error, done) {
      clearTimeout(idle);
      other().hear(null);
      done(error);
    },
  });
  const end = Object.assign(stream, {
    process,
    remoteAddress: '192.0.2.1',
    remotePort: port,
    readyState: 'open',
    /** Runs as whoever has this end. */
    as: (work: () => void) => owner.runInAsyncScope(work),
    /** What the other end has written; nothing where that has ended. */
    hear(chunk: Uint8Array | null) {
      if (hasAll || stream.destroyed) return;
      if (!isAlive()) return void other().destroy();
      hasAll = chunk === null;
      owner.runInAsyncScope(() => {
        stir();
        stream.push(chunk);
      });
    },
    /** The connection breaks off, and the other end is told so. */
    reset() {
      other().as(() => other().destroy(brokenOff()));
      stream.destroy();
    },
    setTimeout(ms: number, late?: () => void) {
      idleMs = ms;
      if (late) stream.once('timeout', late);
      stir();
      return stream;
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
  return end;
}

const brokenOff = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** The end of the process, and the other one, which is made as whoever it is for. */
export function connect(
  options: Options,
  asThey: (make: () => End) => End,
): readonly [ours: End, theirs: End] {
  const ours: End = endOf(options, { isAlive: options.process.isAlive, other: () => theirs });
  const theirs: End = asThey(() => endOf(options, { isAlive: () => true, other: () => ours }));
  return [ours, theirs];
}
