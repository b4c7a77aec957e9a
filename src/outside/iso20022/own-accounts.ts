/** The statements of our accounts, under one name for each, whatever banks call them. */
import type { BankMessage } from './messages/model.ts';
import { countedApart } from './messages/places.ts';
import { ownAccount, type Settings } from './settings.ts';

/**
 * The message with the own IBANs: an account that is written in another way is no other account, and its entries are known
 * by it. Throws `Unreadable` for an entry of an account, or in a currency of it, that the settings do not have.
 */
export const inOwnNames =
  (settings: Pick<Settings, 'accounts'>) =>
  (message: BankMessage): BankMessage => {
    if (message.kind !== 'statement') return message;
    const entries = message.entries.map((entry) => {
      const { iban: account } = ownAccount(settings, entry.spelled, entry.amount.currency);
      return { ...entry, account };
    });
    return { ...message, entries: countedApart(entries) };
  };
