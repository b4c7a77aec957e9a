/** What columns of the read models have that is no text. A column has one type, whatever its table. */
const columnsOfType = {
  'text[]': ['roles', 'currencies'],
  jsonb: [
    ...['transfer', 'policy', 'usage', 'personal_info', 'details', 'account_info', 'errors'],
    ...['source', 'destination', 'rate_details', 'counterparty_information', 'refund', 'failure'],
  ],
  timestamptz: [
    ...['at', 'happened_at', 'created_at', 'updated_at', 'decided_at', 'deleted_at', 'frozen_at', 'due_at'],
    ...['look_at', 'expires_at', 'settled_at', 'receipt_delivery_confirmed_at', 'recorded_high'],
  ],
  boolean: ['is_paused', 'is_connected', 'is_deleted', 'default_uma_deposit_account', 'private_enabled'],
  'double precision': ['ownership_percentage'],
  /** Of postings `minor` is a bigint, which a numeric becomes when it is written. */
  numeric: ['balance', 'held', 'minor'],
  bigint: ['ahead_ms', 'position', 'projected_after', 'sent_minor', 'received_minor', 'fees'],
  integer: ['n', 'looks'],
} as const;

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(columnsOfType).flatMap(([type, columns]) =>
    columns.map((column): [string, string] => [column, type]),
  ),
);

/** The type of a column of the read models, as a cast names it. */
export const typeOf = (column: string): string => types.get(column) ?? 'text';
