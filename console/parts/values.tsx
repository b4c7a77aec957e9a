/** Values of the interface as the pages show them. */
import type { Schemas } from '@daybook/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shortOf, wordsOf } from '../kernel/ids.ts';
import { jsonOf } from '../kernel/json.ts';
import { type Currency, decimalOf, type Minor } from '../kernel/money.ts';
import { base, pathWith } from '../kernel/route.ts';
import { localOf } from '../kernel/time.ts';

export const Time = ({ at }: { at: string | undefined }) =>
  at ? (
    <time dateTime={at} title={`${at} (UTC)`}>
      {localOf(at)}
    </time>
  ) : (
    <span class="muted">—</span>
  );

export const Money = ({ minor, currency }: { minor: Minor; currency: Currency }) => (
  <span class="money">
    {decimalOf(minor, currency.decimals)} <span class="currency">{currency.code}</span>
  </span>
);

export const Amount = ({ of }: { of: Schemas['CurrencyAmount'] | undefined }) =>
  of ? <Money minor={of.amount} currency={of.currency} /> : <span class="muted">—</span>;

const tones: Readonly<Record<string, string>> = {
  COMPLETED: 'good',
  DELIVERED: 'good',
  ACTIVE: 'good',
  APPROVED: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
  CANCELLED: 'bad',
  EXPIRED: 'bad',
  FROZEN: 'bad',
  REFUNDED: 'warn',
  PENDING: 'wait',
  PROCESSING: 'wait',
  CREATED: 'wait',
  PENDING_APPROVAL: 'wait',
};

export const Status = ({ of }: { of: string }) => (
  <span class={`status ${tones[of] ?? 'plain'}`}>{wordsOf(of)}</span>
);

export const HttpStatus = ({ of }: { of: number }) => (
  <span class={`status ${of < 400 ? 'good' : of < 500 ? 'warn' : 'bad'}`}>{of}</span>
);

/** Where the console tells of something, by the kind in its id. */
const pages: Readonly<Record<string, string>> = {
  Transaction: '/payments/',
  Customer: '/customers/',
  InternalAccount: '/accounts/',
  Request: '/requests/',
  Webhook: '/webhooks/',
};

export const pageOf = (id: string): string | undefined => {
  const folder = pages[id.split(':')[0] ?? ''];
  return folder && `${folder}${encodeURIComponent(id)}`;
};

/** What has no page of its own, and is found by its id. */
const found: ReadonlySet<string> = new Set(['ExternalAccount', 'Quote', 'Agent', 'Token', 'Document']);
const linkOf = (id: string): string | undefined =>
  pageOf(id) ?? (found.has(id.split(':')[0] ?? '') ? pathWith('/find', { id }) : undefined);

/** Short where it leads to what it is of, and whole to be copied where it stands for that itself. */
export function Id({ of, isWhole = false }: { of: string | undefined | null; isWhole?: boolean }) {
  if (!of) return <span class="muted">—</span>;
  const page = linkOf(of);
  const text = <code title={of}>{isWhole ? of : shortOf(of)}</code>;
  if (isWhole) return <Copied text={of}>{text}</Copied>;
  return page ? <a href={base + page}>{text}</a> : text;
}

function Copied({ text, children }: { text: string; children: ComponentChildren }) {
  const [told, setTold] = useState('');
  // There is none where the page did not come by https.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (!clipboard) return <>{children}</>;
  const copy = () =>
    clipboard.writeText(text).then(
      () => setTold('copied'),
      () => setTold('select it to copy it'),
    );
  return (
    <>
      {children}{' '}
      <button type="button" class="small" aria-label={`Copy ${text}`} onClick={() => void copy()}>
        Copy
      </button>{' '}
      <span role="status">{told}</span>
    </>
  );
}

/** What a person has written, in the direction of its script; a word of any length takes no room from its neighbours. */
export const Written = ({ text }: { text: string | undefined | null }) =>
  text ? <bdi class="written">{text}</bdi> : <span class="muted">—</span>;

type Ends = Schemas['Transaction'] | Schemas['Quote'];

/** Whom a payment is from, or for. */
export function End({ of }: { of: Ends['source'] | Ends['destination'] }) {
  if ('accountId' in of) return <Id of={of.accountId} />;
  if ('umaAddress' in of) return <Written text={of.umaAddress} />;
  return <Written text={('accountHolderName' in of && of.accountHolderName) || 'Bank transfer'} />;
}

export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const Json = ({ of, label }: { of: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{jsonOf(of, 2) ?? '—'}</pre>
  </section>
);

/** How much of a bound is used. */
export function Bar({
  label,
  used,
  bound,
  shown,
}: {
  label: string;
  used: Minor;
  bound: Minor | null | undefined;
  shown: string;
}) {
  const [value, max] = [Number(used), Number(bound ?? 0)];
  return (
    <div class="bar">
      <span>{label}</span>
      <meter aria-label={`${label}: ${shown}`} min={0} max={max || Math.max(value, 1)} value={value} />
      <span class="money">{shown}</span>
    </div>
  );
}
