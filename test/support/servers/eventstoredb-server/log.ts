export type Proposed = {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

export type Logged = Proposed & {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
};

export type Expected = number | 'none' | 'any' | 'exists';
export type Outcome =
  | { readonly outcome: 'appended'; readonly revision: number; readonly position: bigint }
  | { readonly outcome: 'conflict'; readonly actual: number | 'none' };

/** What a server keeps on its disk: give the same log to the next server and it has restarted. */
export type ServerLog = {
  /** The events of clients. */
  readonly all: readonly Logged[];
  /** With those of the server's own streams, which lie before and between them. */
  readonly everything: readonly Logged[];
  readonly stream: (name: string) => readonly Logged[];
  append(stream: string, expected: Expected, events: readonly Proposed[]): Outcome;
  /** Puts other events of clients in the place of those that are there, as somebody with the disk in hand could. */
  rewrite(events: readonly Logged[]): void;
  /** Calls `wake` after every append, until the returned function is called. */
  onAppend(wake: () => void): () => void;
};

const recordOverheadBytes = 117n;

/** Positions are offsets, as in the real log: each event has its own, with gaps in between. */
export function serverLog(): ServerLog {
  const all: Logged[] = [];
  const everything: Logged[] = [];
  const streams = new Map<string, Logged[]>();
  const wakers = new Set<() => void>();
  let end = 0n;
  const write = (stream: string, there: Logged[], event: Proposed): void => {
    const logged = { ...event, stream, revision: there.length, position: end };
    end += recordOverheadBytes + BigInt(event.data.length + event.metadata.length);
    there.push(logged);
    everything.push(logged);
    if (!stream.startsWith('$')) all.push(logged);
  };
  for (const event of ownEvents()) write('$users', [], event);

  return {
    all,
    everything,
    stream: (name) => streams.get(name) ?? [],
    append(stream, expected, events) {
      const there = streams.get(stream) ?? [];
      const repeat = repeated(there, expected, events);
      if (repeat) return { outcome: 'appended', revision: repeat.revision, position: repeat.position };
      const actual = there.length === 0 ? 'none' : there.length - 1;
      if (!fits(expected, actual)) return { outcome: 'conflict', actual };
      for (const event of events) write(stream, there, event);
      streams.set(stream, there);
      for (const wake of wakers) wake();
      return { outcome: 'appended', revision: there.length - 1, position: there.at(-1)?.position ?? end };
    },
    rewrite(events) {
      const own = everything.filter(({ stream }) => stream.startsWith('$'));
      const inOrder = [...own, ...events].sort((a, b) => Number(a.position - b.position));
      all.splice(0, all.length, ...events);
      everything.splice(0, everything.length, ...inOrder);
      for (const name of streams.keys())
        streams.set(
          name,
          events.filter(({ stream }) => stream === name),
        );
    },
    onAppend(wake) {
      wakers.add(wake);
      return () => wakers.delete(wake);
    },
  };
}

/** What a server writes when it is started for the first time. */
function ownEvents(): readonly Proposed[] {
  const data = Buffer.from('{"loginName":"admin"}');
  const event = { type: '$UserCreated', contentType: 'application/json', data, metadata: Buffer.alloc(0) };
  return [1, 2].map((n) => ({ ...event, id: `00000000-0000-4000-8000-00000000000${n}` }));
}

function fits(expected: Expected, actual: number | 'none'): boolean {
  if (expected === 'any') return true;
  return expected === 'exists' ? actual !== 'none' : expected === actual;
}

/** The last of the events if all of them are already where `expected` puts them. */
function repeated(there: readonly Logged[], expected: Expected, events: readonly Proposed[]) {
  if (expected === 'any' || expected === 'exists') return undefined;
  const from = expected === 'none' ? 0 : expected + 1;
  const same = events.length > 0 && events.every(({ id }, i) => there[from + i]?.id === id);
  return same ? there[from + events.length - 1] : undefined;
}
