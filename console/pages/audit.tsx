import { daybook } from '../data/client.ts';
import { useLoad } from '../data/load.ts';
import { streamOf } from '../kernel/ids.ts';
import { rootFrom } from '../kernel/merkle.ts';
import { goTo, pathWith } from '../kernel/route.ts';
import { Form, Input } from '../parts/fields.tsx';
import { Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, Time } from '../parts/values.tsx';

export function AuditPage({ query }: { query: URLSearchParams }) {
  const checkpoints = useLoad('checkpoints', (signal) =>
    daybook.listCheckpoints({ query: { limit: 20 }, signal }),
  );
  return (
    <>
      <h1>Audit</h1>
      <Verify of={query.get('of') ?? ''} revision={query.get('revision') ?? '0'} />
      <section class="card">
        <h2>Checkpoints</h2>
        <Shown of={checkpoints}>
          {({ data, key }) => (
            <>
              <Table
                caption="What the log was at a moment, newest first"
                items={data}
                keyOf={({ size }) => String(size)}
                empty="No checkpoint was signed yet. One is signed each minute in which the log has grown."
                columns={[
                  { name: 'Events', cell: ({ size }) => size, isNumber: true },
                  { name: 'Root', cell: ({ root }) => <code>{root}</code> },
                  { name: 'Signed', cell: ({ signedAt }) => <Time at={signedAt} /> },
                  { name: 'By', cell: ({ note }) => signersOf(note).join(', ') },
                  {
                    name: 'Note',
                    cell: ({ note }) => (
                      <details>
                        <summary>Show</summary>
                        <pre class="json">{note}</pre>
                      </details>
                    ),
                    isMinor: true,
                  },
                ]}
              />
              {key && (
                <p class="muted">
                  The notes are signed with <code>{key}</code>.
                </p>
              )}
            </>
          )}
        </Shown>
      </section>
      <section class="card">
        <h2>Export</h2>
        <p>
          Who operates the service writes the log to a file, and checks its hashes, sums and balances, in its
          folder:
        </p>
        <pre class="json">
          npx daybook audit export log.ndjson.gz && npx daybook audit verify log.ndjson.gz
        </pre>
      </section>
    </>
  );
}

/** Whose signatures a note carries: the service's own, and those of witnesses. */
const signersOf = (note: string): readonly string[] =>
  [...note.matchAll(/^— (\S+) /gm)].map(([, name = '']) => name);

type Asked = { readonly of: string; readonly revision: number };

/** The proof is the service's, and so is the root: whoever trusts neither compares the root with a note kept elsewhere. */
async function verify({ of, revision }: Asked) {
  const proof = await daybook.getProof({ query: { stream: streamOf(of), revision } });
  const { index, eventHash, hashes, size, root } = proof;
  if (index === undefined || eventHash === undefined) throw new Error('The proof is not about an event.');
  const found = await rootFrom({ eventHash, index, size, hashes });
  return { said: proof, size, root, index, eventHash, found, holds: found === root };
}

const fileOf = (value: unknown): string =>
  `data:application/json,${encodeURIComponent(JSON.stringify(value, null, 2))}`;

function Verify({ of, revision }: { of: string; revision: string }) {
  const checked = useLoad(`${of} ${revision}`, async () =>
    of === '' ? null : verify({ of, revision: Number(revision) }),
  );
  return (
    <section class="card">
      <h2>Is an event in the log?</h2>
      <p class="muted">
        The hash of the event and the path to the root of the newest checkpoint come from the service; this
        browser works out the root, by SHA-256 as in RFC 6962, and compares.
      </p>
      <Form submit="Verify" label="Verify an event" onFilled={(filled) => goTo(pathWith('/audit', filled))}>
        <Input label="Payment or account" name="of" placeholder="Transaction:…" value={of} isRequired />
        <Input label="Revision of its event" name="revision" type="number" value={revision} />
      </Form>
      <Shown of={checked}>
        {(proof) =>
          proof && (
            <>
              <p role="status">
                <span class={`status ${proof.holds ? 'good' : 'bad'}`}>
                  {proof.holds ? 'verified' : 'does not verify'}
                </span>{' '}
                {proof.holds
                  ? `Event ${proof.index} of ${proof.size} leads to the root of the checkpoint.`
                  : 'What the service says about this event contradicts its checkpoint: tell the operator.'}
              </p>
              <p>
                <a href={fileOf(proof.said)} download={`proof-${proof.index}-of-${proof.size}.json`}>
                  Keep the proof as a file
                </a>
              </p>
              <Facts
                of={[
                  ['Hash of the event', <code>{proof.eventHash}</code>],
                  ['Root worked out here', <code>{proof.found}</code>],
                  ['Root of the checkpoint', <code>{proof.root}</code>],
                ]}
              />
            </>
          )
        }
      </Shown>
    </section>
  );
}
