import type { accountEvents } from '../../../domain/accounts/events.ts';
import { inWords } from '../../../domain/money/in-words.ts';
import type { WordsFor } from './words.ts';

/** What happened to an internal account. */
export const accountWords: WordsFor<typeof accountEvents> = {
  AccountOpened: ({ accountType, currency, status }) =>
    `The account was opened: ${accountType}, in ${currency}, ${status}.`,
  AccountDebited: ({ amount, purpose, transactionId, balanceAfter }) =>
    `${inWords(amount)} left the account for the ${purpose} ${transactionId}; ${after(balanceAfter, amount)}.`,
  DebitRefused: ({ amount, code, agentAction }) =>
    `${inWords(amount)} did not leave the account for ${agentAction.actionId}: ${code}.`,
  DepositRefused: ({ amount, code, transactionId }) =>
    `${inWords(amount)} that arrived for ${transactionId} did not come into the account: ${code}.`,
  AccountCredited: ({ amount, purpose, transactionId, balanceAfter }) =>
    `${inWords(amount)} came into the account, a ${purpose} of ${transactionId}; ${after(balanceAfter, amount)}.`,
  CreditHeld: ({ amount, transactionId, because }) =>
    `${inWords(amount)} of ${transactionId} waits: the account ${waiting[because ?? 'full']}.`,
  AccountHalted: () => 'The account gives and takes nothing: its customer is being deleted.',
  HaltLifted: () => 'The account goes on: its customer is not deleted.',
  CreditRefused: ({ amount, transactionId }) =>
    `${inWords(amount)} of ${transactionId} did not come into the account, which is closed.`,
  AccountStatusChanged: ({ from, status }) =>
    from === undefined ? `The account is ${status}.` : `The account was ${from} and is ${status}.`,
};

const waiting = {
  full: 'has no room for it',
  frozen: 'is frozen',
  halted: 'waits for its customer to be deleted',
};

const after = (minor: bigint, { currency }: { readonly currency: string }) =>
  `it holds ${inWords({ minor, currency })}`;
