/** Values of the interface as the pages show them. */
import type { Schemas } from '@daybook/client';
import { shortOf, wordsOf } from '../kernel/ids.ts';
import { jsonOf } from '../kernel/json.ts';
import { type Currency, decimalOf, type Minor } from '../kernel/money.ts';
import { base } from '../kernel/route.ts';
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
  InternalAccount: '/accounts/',
  Request: '/requests/',
  Webhook: '/webhooks/',
};

export const pageOf = (id: string): string | undefined => {
  const folder = pages[id.split(':')[0] ?? ''];
  return folder && `${folder}${encodeURIComponent(id)}`;
};

export function Id({ of, isWhole = false }: { of: string | undefined | null; isWhole?: boolean }) {
  if (!of) return <span class="muted">—</span>;
  const page = pageOf(of);
  const text = <code title={of}>{isWhole ? of : shortOf(of)}</code>;
  return page && !isWhole ? <a href={base + page}>{text}</a> : text;
}

export const Facts = ({ of }: { of: readonly (readonly [string, preact.ComponentChildren])[] }) => (
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
