/** What the groups of operations are, in the order of the documentation. */
export const tags = [
  [
    'Platform configuration',
    'The settings of your platform: its domain, its currencies and bounds, where webhooks go.',
  ],
  ['Customers', 'The people and businesses on whose behalf money moves.'],
  ['Business verification', 'Who owns a business, and how far checking a customer has come.'],
  ['Documents', 'Files that show who a customer or an owner is.'],
  [
    'Internal accounts',
    'Accounts that the service holds, with their balances, and the trial balance of the books.',
  ],
  ['External accounts', 'Bank accounts and wallets outside, which are paid or pulled from.'],
  ['Same-currency transfers', 'Money in from an external account, and out to one, in one currency.'],
  ['Receiver lookups', 'What a receiver takes, and what it asks of the payer, before a quote.'],
  ['Quotes', 'A rate and fees that hold for some minutes; executing one makes a payment.'],
  ['Transactions', 'Payments, what became of them, and the approval of incoming ones.'],
  ['Invitations', 'Links by which one customer invites another.'],
  ['Wallet authentication', 'Credentials, sessions and signed requests of embedded wallets.'],
  ['API tokens', 'Credentials of your platform, each with its permissions.'],
  ['Agents', 'Programs that act for one customer within a policy, and the approval of what they ask for.'],
  ['As an agent', 'What an agent calls itself, with its own access token (Bearer).'],
  ['Exchange rates', 'What a payment between two currencies would yield now.'],
  [
    'Sandbox',
    'What the outside world does elsewhere: money that comes in, mails, tokens of an identity provider.',
  ],
  ['Webhooks', 'What was sent to your endpoint, sending it again, and the keys that sign it.'],
  [
    'Audit',
    'What accounts held at a moment, their statements, and what happened: for auditors of your platform.',
  ],
  ['Console', 'What the pages at /console use beside the rest. The same operations are at /console/….'],
].map(([name = '', description = '']) => ({ name, description }));
