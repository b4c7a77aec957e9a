/** A payment as a credit transfer, or why this rail does not carry it. */

import type { Beneficiary } from '../../domain/external-accounts/beneficiary.ts';
import type { AccountInfo } from '../../domain/external-accounts/definitions.ts';
import type { FailureReason } from '../../domain/payments/events.ts';
import type { RailPayment } from '../../domain/ports/payment-rail.ts';
import { isIban } from '../../infrastructure/text/check-digits.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { compact } from './files/orders.ts';
import type { CreditorAccount, CreditTransfer, OwnAccount } from './messages/model.ts';
import { isRailCurrency, type RailCurrency } from './values/amounts.ts';
import { inBankCharacters } from './values/characters.ts';
import { isBic, ukAccountOf } from './values/iban.ts';

/** By the rules of SEPA; the schema has 140 for remittances as well. */
const nameMax = 70;
const remittanceMax = 140;
const minorMax = 99_999_999_999n;

export type Instruction =
  | { readonly status: 'carried'; readonly transfer: CreditTransfer }
  | { readonly status: 'refused'; readonly reason: FailureReason; readonly why: string };

/** 32 characters that follow from the payment's id, and give it back. */
export const endToEndIdOf = (paymentId: string): string => compact(uuidOf(paymentId));

/** Always the same for the same payment. `accounts` are those that payments leave from. */
export function instructionOf(payment: RailPayment, accounts: readonly OwnAccount[]): Instruction {
  const { amount, kind, counterparty } = payment;
  const { currency } = amount;
  const refuse = (reason: FailureReason, why: string): Instruction => ({ status: 'refused', reason, why });
  if (kind === 'transfer-in' || kind === 'incoming' || counterparty.kind === 'address')
    return refuse('QUOTE_EXECUTION_FAILED', 'only payouts to bank accounts leave by this rail');
  if (!isRailCurrency(currency) || !accounts.some((own) => own.currency === currency))
    return refuse('QUOTE_EXECUTION_FAILED', 'there is no account in this currency');
  if (amount.minor < 1n || amount.minor > minorMax)
    return refuse('QUOTE_EXECUTION_FAILED', 'the amount is not within 0.01 and 999999999.99');
  const { accountInfo } = counterparty.account;
  const creditor = creditorOf(accountInfo, currency);
  if (!creditor) return refuse('OFFRAMP_FAILED', 'the account is none that the bank can pay');
  // A credit with the identifier of a payment is its return: one to the own account would look like it.
  if (accounts.some(({ iban }) => isAt(creditor, iban)))
    return refuse('OFFRAMP_FAILED', 'the account is the one that payments leave from');
  const creditorName = inBankCharacters(nameOf(accountInfo), nameMax);
  if (creditorName === '') return refuse('OFFRAMP_FAILED', 'the name has no letter that banks take');
  return {
    status: 'carried',
    transfer: {
      endToEndId: endToEndIdOf(payment.paymentId),
      instructionId: payment.reference,
      amount: { minor: amount.minor, currency },
      creditorName,
      creditor,
      remittance: remittanceOf(payment),
      isInstant: payment.paymentRail === 'SEPA_INSTANT',
    },
  };
}

function creditorOf(info: AccountInfo, currency: RailCurrency): CreditorAccount | undefined {
  if (currency === 'EUR' && info.accountType === 'EUR_ACCOUNT') {
    const iban = info.iban.toUpperCase();
    const bic = info.swiftCode && isBic(info.swiftCode) ? info.swiftCode : undefined;
    return isIban(iban) ? { kind: 'iban', iban, ...(bic && { bic }) } : undefined;
  }
  if (currency === 'GBP' && info.accountType === 'GBP_ACCOUNT')
    return { kind: 'sort-code', sortCode: info.sortCode, accountNumber: info.accountNumber };
  return undefined;
}

function isAt(creditor: CreditorAccount, iban: string): boolean {
  if (creditor.kind === 'iban') return creditor.iban === iban;
  const uk = ukAccountOf(iban);
  return uk?.sortCode === creditor.sortCode && uk.accountNumber === creditor.accountNumber;
}

function nameOf(info: AccountInfo): string {
  const beneficiary: Beneficiary | undefined = 'beneficiary' in info ? info.beneficiary : undefined;
  if (!beneficiary) return '';
  return beneficiary.beneficiaryType === 'INDIVIDUAL' ? beneficiary.fullName : beneficiary.legalName;
}

/** The reference first, so that it is there whatever the words are. */
const remittanceOf = ({ reference, remittanceInformation = '' }: RailPayment): string =>
  inBankCharacters(`${reference} ${remittanceInformation}`, remittanceMax);
