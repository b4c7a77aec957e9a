import type { Schemas } from '@daybook/client';
import { useState } from 'preact/hooks';
import { daybook, version } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { shortOf } from '../../kernel/ids.ts';
import { jsonOf } from '../../kernel/json.ts';
import { Shown } from '../../parts/states.tsx';
import { Facts, HttpStatus, Id, Json, Time } from '../../parts/values.tsx';

type Logged = Schemas['LoggedRequestWithBodies'];

const copiedWithinMs = 1_000;

/** For a shell that reads single quotes literally. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request again, with the token's credentials from the environment; what was masked is to be put in. */
export function curlOf({ method, path, query, requestBody, idempotencyKey }: Logged): string {
  const below = path.startsWith(`/${version}`) ? path : `/${version}${path}`;
  const asked = query ? `?${query.replace(/^\?/, '')}` : '';
  return [
    `curl -X ${method} ${quoted(location.origin + below + asked)}`,
    '-u "$DAYBOOK_CLIENT_ID:$DAYBOOK_CLIENT_SECRET"',
    ...(idempotencyKey ? [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    ...(requestBody === null || requestBody === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(jsonOf(requestBody) ?? '')}`]),
  ].join(' \\\n  ');
}

function Curl({ of }: { of: Logged }) {
  const [isShown, setShown] = useState(false);
  const [told, setTold] = useState('');
  const show = async () => {
    setShown(true);
    const copying = navigator.clipboard?.writeText(curlOf(of)).then(
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
            <pre>{curlOf(of)}</pre>
          </section>
          <p class="muted">
            Put in what is masked by •••. With the same Idempotency-Key the answer is the same, and nothing is
            done twice.
          </p>
        </>
      )}
    </section>
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
