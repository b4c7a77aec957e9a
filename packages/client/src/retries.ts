/** Sends a request again where that cannot do twice what was asked. */
import { NoAnswer } from './errors.ts';

export type RetryOptions = {
  /** How often a request is sent again at most; 3 unless said otherwise. */
  readonly retries?: number;
  /**
   * So long one try may take until its answer is there, in milliseconds; unless said otherwise 30,000, and 90,000 for
   * operations of the sandbox, which wait for what they are asked to wait for. At most 2,147,483,647, some 24 days.
   */
  readonly timeoutMs?: number;
  /** Is told of each pause before a request is sent again. */
  readonly onPause?: (pause: Pause) => void;
  /** Instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

export type Pause = {
  readonly ms: number;
  /** Of the answer; `undefined` where there was none. */
  readonly status: number | undefined;
  /** Resolves when the request is sent again, or given up. */
  readonly over: Promise<void>;
};

const firstPauseMs = 200;
const pauseMaxMs = 5_000;
/** Who is asked to wait longer gets the refusal at once. */
const retryAfterMaxMs = 60_000;
/** Answered before anything is done. */
const nothingDone = 429;
/** With the same status: the refusal stays what it is for the rest of the day. */
const limitOfDay = 'DAILY_VOLUME_LIMIT_EXCEEDED';
const transient = new Set([429, 500, 502, 503, 504]);

export type Tried = {
  /** Whether to do it twice does what doing it once does. */
  readonly isRepeatable: boolean;
  /** Where nothing else was said. */
  readonly timeoutMs: number;
  /** The answer is read as it comes, so that there is one once its head is there. */
  readonly isStream: boolean;
};

/** A `fetch` that repeats. Throws `NoAnswer` when no try was answered whole, and the reason of the request's signal. */
export function fetchWithRetries({
  retries = 3,
  timeoutMs,
  onPause,
  fetch = globalThis.fetch,
}: RetryOptions): (request: Request, tried: Tried) => Promise<Response> {
  const attempt = async (request: Request, { isStream, ...usual }: Tried): Promise<Response | NoAnswer> => {
    const { signal, stopTimer } = endingWith(request.signal, timeoutMs ?? usual.timeoutMs);
    const answered = fetch(new Request(request.clone(), { signal })).then(isStream ? same : whole);
    try {
      return await Promise.race([answered, aborted(signal)]);
    } catch (cause) {
      request.signal.throwIfAborted();
      return new NoAnswer(`${request.method} ${request.url} was not answered`, { cause });
    } finally {
      stopTimer();
    }
  };
  return async (request, tried) => {
    for (let failures = 0; ; failures++) {
      const outcome = await attempt(request, tried);
      const mayPass = failures < retries && (tried.isStream || !(await isForTheDay(outcome)));
      const pauseMs = mayPass ? pauseBefore(outcome, failures, tried.isRepeatable) : undefined;
      if (pauseMs !== undefined) {
        if (outcome instanceof Response) await outcome.body?.cancel();
        const paused = pause(pauseMs, request.signal);
        const status = outcome instanceof Response ? outcome.status : undefined;
        onPause?.({ ms: pauseMs, status, over: paused.catch(() => undefined) });
        await paused;
      } else if (outcome instanceof Response) return outcome;
      else throw outcome;
    }
  };
}

const same = (response: Response): Response => response;

/** An answer that breaks off in its body is none. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers, type } = response;
  if (type === 'opaqueredirect') throw new TypeError('the answer leads elsewhere');
  const body = response.body ? await response.arrayBuffer() : null;
  return new Response(withoutBody.has(status) ? null : body, { status, statusText, headers });
}
const withoutBody = new Set([204, 205, 304]);

/**
 * Aborts with `outer`, or after so long. Its timer holds it: a signal of `AbortSignal.any` may be collected before it
 * aborts, and whoever waits for it then waits for ever. Without the timer it goes on aborting with `outer`.
 */
function endingWith(outer: AbortSignal, timeoutMs: number) {
  const ending = new AbortController();
  const end = () => ending.abort(outer.reason);
  const late = () => {
    outer.removeEventListener('abort', end);
    ending.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
  };
  if (outer.aborted) end();
  else outer.addEventListener('abort', end, { once: true });
  const timer = setTimeout(late, timeoutMs);
  return { signal: ending.signal, stopTimer: () => clearTimeout(timer) };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** How long to wait before the next try; `undefined` where there should be none. */
function pauseBefore(
  outcome: Response | NoAnswer,
  failures: number,
  isRepeatable: boolean,
): number | undefined {
  const again = isRepeatable
    ? outcome instanceof NoAnswer || transient.has(outcome.status)
    : outcome instanceof Response && outcome.status === nothingDone;
  if (!again) return undefined;
  const askedMs = outcome instanceof Response ? retryAfterMs(outcome) : 0;
  if (askedMs > retryAfterMaxMs) return undefined;
  const backoffMs = Math.min(pauseMaxMs, firstPauseMs * 2 ** failures);
  return Math.max(askedMs, backoffMs / 2) + (Math.random() * backoffMs) / 2;
}

async function isForTheDay(outcome: Response | NoAnswer): Promise<boolean> {
  if (outcome instanceof NoAnswer || outcome.status !== nothingDone) return false;
  const body = outcome.clone().json() as Promise<{ readonly code?: unknown } | null>;
  return body.then(
    (refusal) => refusal?.code === limitOfDay,
    () => false,
  );
}

/** What `Retry-After` asks for: seconds, or a date. */
function retryAfterMs({ headers }: Response): number {
  const asked = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
