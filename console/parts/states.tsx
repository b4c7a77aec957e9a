/** What a page shows before, instead of, and beside its data. */
import type { ComponentChildren } from 'preact';
import type { Refused } from '../data/client.ts';
import type { Loaded } from '../data/load.ts';
import { useWaiting } from '../data/waiting.ts';

export const Refusal = ({ refused, retry }: { refused: Refused | undefined; retry?: () => void }) =>
  refused ? (
    <div class="refusal" role="alert">
      <p>
        <strong>{refused.message}</strong> <code>{refused.code}</code>
      </p>
      {refused.requestId && (
        <p>
          Request <code>{refused.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  ) : null;

/** The data once they are there; until then that they are asked for, or why they did not come. */
export function Shown<Value>({
  of,
  children,
}: {
  of: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  return (
    <>
      <Refusal refused={of.refused} retry={of.reload} />
      {of.isLoading && (
        <p class="muted" role="status">
          Loading…
        </p>
      )}
      {of.value !== undefined && children(of.value)}
    </>
  );
}

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

const seconds = (n: number) => (n === 1 ? '1 second' : `${n} seconds`);

/** That the service has put something off, wherever on the page one is. It is told once, and not each second. */
export function Waiting() {
  const waiting = useWaiting();
  const telling = (n: number) => `The service cannot answer now. It is asked again in ${seconds(n)}.`;
  return (
    <>
      <p class="unseen" role="status">
        {waiting && telling(waiting.seconds)}
      </p>
      {waiting && (
        <p class="waiting" aria-hidden="true">
          {telling(waiting.secondsLeft)}
        </p>
      )}
    </>
  );
}
