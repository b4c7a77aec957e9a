/**
 * What auditors see of an installation, of all its platforms: views in a schema of their own. They show columns by name,
 * so what a table gets later is not seen. Those about the log read the log itself where it is in Postgres; what a client
 * of EventStoreDB reads there instead is said in docs/reference/auditor-views.md.
 */

import { restorationsStream } from '../../src/domain/restorations/restorations.ts';

export const auditorSchema = 'auditor';

export type View = {
  readonly name: string;
  /** The read model that it shows; without one it reads what is not made again from the log. */
  readonly of?: 'transactions' | 'postings';
  readonly query: string;
};

const envelope = `e.position, e.id::text as event_id, e.metadata->>'platformId' as platform_id`;
const circumstances = `e.metadata->>'correlationId' as correlation_id, (e.metadata->>'at')::timestamptz as at`;

const payments: View = {
  name: 'payments',
  of: 'transactions',
  query: `
    select id, quote_id, platform_id, type, status, customer_id, platform_customer_id, agent_id, sender_account,
      receiver_account, sent_minor, sent_currency, received_minor, received_currency, fees, exchange_rate, reference,
      pending_reason, failure_reason, refund->>'status' as refund_status, expires_at, settled_at, created_at, updated_at
    from daybook.transactions`,
};

/** What `GET /audit/checkpoints` shows: nothing of any platform. The key is written as C2SP writes it. */
export const signedCheckpoints: View = {
  name: 'checkpoints',
  query: `
    select c.size, encode(c.root, 'base64') as root, c.unsealed as unsealed_events, c.note, c.signed_at,
      k.id || '+' || left(encode(sha256(convert_to(k.id, 'UTF8') || decode('0a01', 'hex') || k.public_key), 'hex'), 8)
        || '+' || encode(decode('01', 'hex') || k.public_key, 'base64') as key
    from daybook.log_checkpoints c cross join daybook.log_keys k`,
};

/** What a platform of the sandbox goes on with after it was put back to a snapshot: nobody did it a second time. */
const isCopy = `e.metadata ? 'copyOf'`;

/** As the events have them, where the log is in Postgres. A platform that was put back goes on with copies. */
const postings: View = {
  name: 'postings',
  query: `
    with restorations as materialized (
      select position, metadata->>'platformId' as platform_id from daybook_log.events
      where stream = 'restorations-${restorationsStream}'
    )
    select ${envelope}, (p.n - 1)::int as n, e.stream, e.type, e.data->>'transactionId' as transaction_id,
      p.posting->>'account' as account, p.posting->>'currency' as currency, (p.posting->>'minor')::numeric as minor,
      e.metadata->>'actor' as actor, ${circumstances},
      (select min(r.position) from restorations r
        where r.platform_id = e.metadata->>'platformId' and r.position > e.position) as put_back_at
    from daybook_log.events e
    cross join lateral jsonb_array_elements(e.data->'postings') with ordinality as p (posting, n)`,
};

/** As they are copied from a log that is elsewhere. */
const copiedPostings: View = {
  name: 'postings',
  of: 'postings',
  query: `
    select position, event_id, platform_id, n, null::text as stream, null::text as type, null::text as transaction_id,
      account, currency, minor::numeric as minor, null::text as actor, null::text as correlation_id, at,
      null::bigint as put_back_at
    from daybook.postings`,
};

/**
 * Somebody's, outside the service: what a policy or a timer came to is none. A payment that its platform was not asked
 * about is approved with the first event of its stream, under the actor of that.
 */
const decisions: View = {
  name: 'decisions',
  query: `
    select * from (
      select ${envelope},
        case
          when e.type like 'AgentAction%' then 'agent-action'
          when e.type in ('PaymentApproved', 'TransactionRejected') then 'incoming-payment'
          when e.type = 'VerificationAssessed' then 'verification'
          when e.type = 'AccountStatusChanged' then 'account-status'
          else 'external-account-status'
        end as kind,
        coalesce(e.data->>'actionId', e.data->>'transactionId', e.data->>'verificationId', e.data->>'accountId',
          e.data->>'externalAccountId') as subject,
        case e.type
          when 'AgentActionStarted' then 'APPROVED' when 'AgentActionFailed' then 'FAILED'
          when 'AgentActionRejected' then 'REJECTED' when 'PaymentApproved' then 'APPROVED'
          when 'TransactionRejected' then 'REJECTED' when 'VerificationAssessed' then e.data->>'verificationStatus'
          else e.data->>'status'
        end as outcome,
        case
          when e.data ? 'decidedBy' then e.data->>'decidedBy'
          when e.type = 'VerificationAssessed' then null
          when e.metadata->>'actor' ~ '^(token:|operator)' then e.metadata->>'actor'
          when e.metadata->>'actor' = 'webhooks' and e.type in ('PaymentApproved', 'TransactionRejected')
            then 'webhooks'
        end as decided_by,
        coalesce(e.data->>'rejectionReason', e.data->>'reason', e.data->>'note', e.data->'problem'->>'code') as reason,
        ${circumstances}
      from daybook_log.events e
      where e.type in ('AgentActionStarted', 'AgentActionFailed', 'AgentActionRejected', 'PaymentApproved',
        'TransactionRejected', 'VerificationAssessed', 'AccountStatusChanged', 'ExternalAccountStatusChanged')
        and not ${isCopy}
        and (e.type not in ('PaymentApproved', 'TransactionRejected') or exists (
          select from daybook_log.events as first
          where first.stream = e.stream and first.revision = 0 and first.data ? 'approvalDueAt'))
    ) as decided
    where decided_by is not null`,
};

/** What became of customers, their owners, documents and verifications: which fields, and not what is in them. */
const customerEvents: View = {
  name: 'customer_events',
  query: `
    select ${envelope},
      coalesce(
        first.data->>'customerId',
        (select o.data->>'customerId' from daybook_log.events o
          where o.stream = 'beneficialowner-' || split_part(first.data->>'documentHolder', ':', 2) and o.revision = 0),
        first.data->>'documentHolder'
      ) as customer_id,
      coalesce(e.data->>'beneficialOwnerId', e.data->>'documentId', e.data->>'verificationId', e.data->>'customerId')
        as subject,
      e.type,
      coalesce(e.data->>'kycStatus', e.data->>'verificationStatus') as status,
      array(
        select k from jsonb_object_keys(e.data) as k
        where k not in ('platformId', 'customerId', 'beneficialOwnerId', 'documentId', 'verificationId', 'at') order by k
      ) as fields,
      e.metadata->>'actor' as actor, ${circumstances}
    from daybook_log.events e
    join daybook_log.events as first on first.stream = e.stream and first.revision = 0
    where e.type in ('CustomerCreated', 'CustomerStatusChanged', 'CustomerUpdated', 'CustomerDeleted', 'CustomerErased',
      'CustomerEmailChanged', 'BeneficialOwnerCreated', 'BeneficialOwnerUpdated', 'VerificationAssessed',
      'DocumentUploaded', 'DocumentReplaced', 'DocumentSubmitted', 'DocumentDeleted')
      and not ${isCopy}`,
};

/** Who may act for a platform. */
const tokenEvents: View = {
  name: 'token_events',
  query: `
    select ${envelope}, e.data->>'tokenId' as token_id, first.data->>'name' as name,
      array(select jsonb_array_elements_text(first.data->'permissions')) as permissions, e.type, e.data->>'day' as day,
      e.metadata->>'actor' as actor, ${circumstances}
    from daybook_log.events e
    join daybook_log.events as first on first.stream = e.stream and first.revision = 0
    where e.type in ('TokenIssued', 'TokenRenewed', 'TokenUsed', 'TokenDeleted') and not ${isCopy}`,
};

export const viewsOfLog: readonly View[] = [
  postings,
  payments,
  decisions,
  customerEvents,
  tokenEvents,
  signedCheckpoints,
];
/** Where the log is in EventStoreDB. */
export const viewsOfCopies: readonly View[] = [copiedPostings, payments, signedCheckpoints];
