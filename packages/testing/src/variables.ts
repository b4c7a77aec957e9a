/** How a service is configured that tests use: no bound is in their way, and webhooks may go to this machine. */
export const testVariables = {
  PORT: '0',
  DAYBOOK_SANDBOX_TIME_SCALE: '0.02',
  DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
  DAYBOOK_RATE_LIMIT_CHALLENGE: '0',
  DAYBOOK_RATE_LIMIT_VERIFY: '0',
  DAYBOOK_RATE_LIMIT_REDEEM: '0',
  DAYBOOK_RATE_LIMIT_INVITATIONS: '0',
  DAYBOOK_RATE_LIMIT_LISTS: '0',
  DAYBOOK_REQUEST_DEADLINE_SECONDS: '300',
  DAYBOOK_CONNECTIONS_PER_ADDRESS: '0',
} as const;
