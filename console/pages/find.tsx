/** What has an id, where it has no page of its own. */
import { useEffect } from 'preact/hooks';
import { daybook } from '../data/client.ts';
import { useLoad } from '../data/load.ts';
import { wordsOf } from '../kernel/ids.ts';
import { base, goTo, pathWith } from '../kernel/route.ts';
import { Shown } from '../parts/states.tsx';
import { Facts, Id, Json, pageOf } from '../parts/values.tsx';

/** Reads what it is, for the kinds that the interface reads by their id alone. */
function read(kind: string, id: string, signal: AbortSignal): PromiseLike<unknown> | undefined {
  const all = { signal };
  if (kind === 'quote') return daybook.getQuote({ path: { quoteId: id }, ...all });
  if (kind === 'agent') return daybook.getAgent({ path: { agentId: id }, ...all });
  if (kind === 'token') return daybook.getToken({ path: { tokenId: id }, ...all });
  if (kind === 'document') return daybook.getDocument({ path: { documentId: id }, ...all });
  if (kind === 'verification') return daybook.getVerification({ path: { verificationId: id }, ...all });
  if (kind === 'externalAccount')
    return daybook.getExternalAccountHistory({ path: { externalAccountId: id }, ...all });
  return undefined;
}

/** What somebody outside calls it is no id of the interface, and is what people are told. */
const Elsewhere = ({ text }: { text: string }) => (
  <p>
    Is it an id of your own, or a reference? Look for{' '}
    <a href={base + pathWith('/customers', { platformCustomerId: text })}>customers with this id of yours</a>,{' '}
    <a href={base + pathWith('/payments', { platformCustomerId: text })}>their payments</a>, or{' '}
    <a href={base + pathWith('/payments', { reference: text })}>payments with this reference</a>.
  </p>
);

export function FindPage({ id }: { id: string }) {
  const found = useLoad(id, async (signal) => {
    const what = await daybook.searchById({ query: { id }, signal });
    return { ...what, content: pageOf(what.id) ? undefined : await read(what.kind, what.id, signal) };
  });
  const page = found.value && pageOf(found.value.id);
  useEffect(() => {
    if (page) goTo(page, { replace: true });
  }, [page]);
  return (
    <>
      <h1>Search</h1>
      {found.refused?.code === 'REFERENCE_NOT_FOUND' && <Elsewhere text={id} />}
      <Shown of={found}>
        {(what) => (
          <section class="card">
            <Facts
              of={[
                ['Kind', wordsOf(what.kind.replace(/([A-Z])/g, '_$1'))],
                ['Id', <Id of={what.id} isWhole />],
                ['In the interface', <code>{`GET ${what.path}`}</code>],
              ]}
            />
            {what.content !== undefined && <Json of={what.content} label="As the interface has it" />}
          </section>
        )}
      </Shown>
    </>
  );
}
