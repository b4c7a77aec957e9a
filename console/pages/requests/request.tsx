import type { Schemas } from '@daybook/client';
import { useState } from 'preact/hooks';
import { daybook, version } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { curlOf, isDoneOnce, keyOf } from '../../kernel/curl.ts';
import { shortOf } from '../../kernel/ids.ts';
import { Shown } from '../../parts/states.tsx';
import { Facts, HttpStatus, Id, Json, Time } from '../../parts/values.tsx';

type Logged = Schemas['LoggedRequestWithBodies'];

const copiedWithinMs = 1_000;

function Curl({ of }: { of: Logged }) {
  const [isShown, setShown] = useState(false);
  const [told, setTold] = useState('');
  const curl = curlOf(of, location.origin, version);
  const show = async () => {
    setShown(true);
    const copying = navigator.clipboard?.writeText(curl).then(
      () => true,
      () => false,
    );
    // A browser that asks first may never say.
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, copiedWithinMs, false));
    const isCopied = await Promise.race([copying ?? false, late]);
    setTold(isCopied ? 'Copied.' : 'Copy it from here.');
  };
  return (
    <section class="card">
      <h2>Repeat it</h2>
      <div class="row">
        <button type="button" onClick={() => void show()}>
          Copy as curl
        </button>
        <span role="status">{told}</span>
      </div>
      {isShown && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
          <section class="json" tabIndex={0} aria-label="curl">
            <pre>{curl}</pre>
          </section>
          <p class="muted">
            Put in what is masked by •••, or named in braces. <Effect of={of} />
          </p>
        </>
      )}
    </section>
  );
}

/** What comes of sending it again. */
function Effect({ of }: { of: Logged }) {
  if (isDoneOnce(of, Date.now()))
    return <>Nothing is done twice until 24 hours after its Idempotency-Key was first used.</>;
  if (of.method === 'GET') return <>It is asked again.</>;
  if (of.idempotencyKey && keyOf(of) === undefined)
    return <>Its Idempotency-Key is not UTF-8 and is left out: the request is done again.</>;
  return (
    <>
      The request is done again
      {of.idempotencyKey ? ': its Idempotency-Key counts no longer, or not here.' : '.'}
    </>
  );
}

export function RequestPage({ id }: { id: string }) {
  const request = useLoad(id, (signal) => daybook.getConsoleRequest({ path: { requestId: id }, signal }));
  return (
    <>
      <h1>{shortOf(id)}</h1>
      <Shown of={request}>
        {(of) => (
          <>
            <section class="card">
              <h2>Request</h2>
              <Facts
                of={[
                  ['Id', <Id of={of.id} isWhole />],
                  ['Answer', <HttpStatus of={of.status} />],
                  ['Code', of.code ?? '—'],
                  ['Operation', of.operationId],
                  ['Path', <code>{`${of.method} ${of.path}`}</code>],
                  ['Query', of.query ? <code>{of.query}</code> : '—'],
                  ['At', <Time at={of.createdAt} />],
                  ['Took', `${of.durationMs.toFixed(1)} ms`],
                  ['Idempotency key', of.idempotencyKey ?? '—'],
                  ['Token', <Id of={of.tokenId} />],
                ]}
              />
            </section>
            <Curl of={of} />
            <div class="grid">
              <section class="card">
                <h2>What was asked</h2>
                <Json of={of.requestBody} label="Body of the request" />
              </section>
              <section class="card">
                <h2>What was answered</h2>
                <Json of={of.responseBody} label="Body of the answer" />
              </section>
            </div>
            {of.truncated && <p class="muted">A body was too long to be kept.</p>}
          </>
        )}
      </Shown>
    </>
  );
}
