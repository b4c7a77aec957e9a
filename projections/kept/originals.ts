/**
 * The tables that the log does not have, which are to be backed up: in an order in which they can be filled. What they
 * are worth is said in docs/operations/backup.md.
 */
export const originals = [
  'api_tokens',
  'agent_tokens',
  'agent_device_codes',
  'document_contents',
  'document_chunks',
  'erasures',
  'idempotency_keys',
  'log_checkpoints',
  'log_keys',
  'oidc_keys',
  'parked_work',
  'person_keys',
  'wallet_phrases',
  'webhook_keys',
  'webhook_events',
  'webhook_attempts',
] as const;

/** What is needed for minutes only, is learned anew, or is kept by triggers. */
export const notNeeded = [
  'agent_redemptions',
  'checkpoints',
  'clock',
  'closed_values',
  'closing_filters',
  'closings',
  'console_sessions',
  'emails',
  'followed_log',
  'leases',
  'log_tiles',
  'log_tree',
  'one_time_codes',
  'rate_limits',
  'request_bodies',
  'request_log',
  'sandbox_faults',
  'sandbox_returns',
  'sandbox_snapshot_rows',
  'sandbox_snapshots',
  'transaction_totals',
  'webhook_cancellations',
  'webhook_lanes',
  'webhook_redeliveries',
  'work_sessions',
] as const;
