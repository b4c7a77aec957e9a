/** Server-sent events, as HTML has them, one after the other as they come. */
import { NoAnswer } from './errors.ts';

/** An event of the log, of docs/reference/events.md. */
export type FollowedEvent = {
  /** In the log: `after` of the next call goes on behind it. */
  readonly place: string;
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
};

type Following = {
  readonly signal?: AbortSignal | undefined;
  readonly onOpen?: (() => void) | undefined;
};

/**
 * Asks for nothing until it is iterated, and tells `onOpen` once the answer has begun. Ends when the service ends it;
 * throws `NoAnswer` where it breaks off, and the reason of the signal.
 */
export const followed = (
  ask: () => Promise<ReadableStream<Uint8Array>>,
  parse: (text: string) => unknown,
  { signal, onOpen }: Following = {},
): AsyncIterable<FollowedEvent> => ({
  async *[Symbol.asyncIterator]() {
    let rest = '';
    for await (const text of textsOf(await ask(), { signal, onOpen })) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block, parse);
        if (event) yield event;
      }
    }
  },
});

/**
 * Whoever stops iterating closes the connection. The signal is heard here: once its answer is there, a request may be
 * collected, and `fetch` hears of no signal any more then.
 */
async function* textsOf(
  stream: ReadableStream<Uint8Array>,
  { signal, onOpen }: Following,
): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  // What is being read ends with it.
  const end = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    onOpen?.();
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (cause instanceof Error && cause.name !== 'TypeError') throw cause;
        throw new NoAnswer('the stream of events broke off', { cause });
      });
      signal?.throwIfAborted();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    signal?.removeEventListener('abort', end);
    await reader.cancel().catch(() => undefined);
  }
}

/** Comments, which keep the connection open, are no events. */
function eventOf(block: string, parse: (text: string) => unknown): FollowedEvent | undefined {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const field = (name: string) => lines.find((line) => line?.[1] === name)?.[2] ?? '';
  const data = field('data');
  if (data === '') return undefined;
  return { ...(parse(data) as Omit<FollowedEvent, 'place'>), place: field('id') };
}
