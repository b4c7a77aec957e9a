/** How a quote with REALTIME_FUNDING can be paid, and what to sign for one from a wallet. */

import { idOf, type TransactionId } from '../../kernel/ids.ts';
import { referenceFor } from '../accounts/funding-identifiers.ts';
import { fundingInstructions } from '../accounts/funding-instructions.ts';
import type { PaymentInstruction } from '../accounts/payment-instructions.ts';
import { isCrypto } from '../money/currencies.ts';
import type { cryptoNetworks, PaymentSource } from '../payments/ends.ts';
import type { QuoteSource } from '../payments/parties/parties.ts';
import { bankReference } from '../values/bank-reference.ts';

type CryptoNetwork = (typeof cryptoNetworks)[number];

const accountTypes: Readonly<Record<CryptoNetwork, string>> = {
  SOLANA: 'SOLANA_WALLET',
  ETHEREUM: 'ETHEREUM_WALLET',
  BASE: 'BASE_WALLET',
  POLYGON: 'POLYGON_WALLET',
  TRON: 'TRON_WALLET',
  PLASMA: 'PLASMA_WALLET',
  SPARK: 'SPARK_WALLET',
  LIGHTNING: 'LIGHTNING',
  BITCOIN: 'BITCOIN_L1',
};

/** The ways to pay this much of a currency into one payment; only those of the network where one is named. */
export function waysToPay(
  currency: string,
  paymentKey: string,
  network: CryptoNetwork | undefined,
): PaymentInstruction[] {
  if (network === 'LIGHTNING' && currency === 'BTC') {
    const invoice = `lnbc1${paymentKey.replaceAll(/[^0-9a-z]/g, '')}`;
    const accountOrWalletInfo = { accountType: 'LIGHTNING', invoice };
    return [{ accountOrWalletInfo }];
  }
  const ways = fundingInstructions(currency, paymentKey);
  return network
    ? ways.filter(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType === accountTypes[network])
    : ways;
}

/** Whether its payer is told to state a reference: where the money comes in from a bank. */
export const isPaidInByReference = ({ kind }: Pick<PaymentSource, 'kind'>, currency: string): boolean =>
  kind === 'REALTIME_FUNDING' && !isCrypto(currency);

/** By what a payment is found: the reference that its payer states, where there is one. */
export const quoteReference = (source: QuoteSource, uuid: string): string =>
  source.kind === 'REALTIME_FUNDING' && isPaidInByReference(source, source.currency)
    ? referenceFor(idOf('Transaction', uuid))
    : bankReference('DB', uuid);

/** How to pay for a payment with this source, sent in this currency. Absent where the source needs no instructions. */
export const quoteInstructions = (
  transactionId: TransactionId,
  source: PaymentSource,
  currency: string,
): PaymentInstruction[] | undefined => {
  if (source.kind === 'REALTIME_FUNDING') return waysToPay(currency, transactionId, source.cryptoNetwork);
  if (source.kind !== 'INTERNAL' || !source.payloadToSign) return undefined;
  const { payloadToSign } = source;
  const accountOrWalletInfo = { accountType: 'EMBEDDED_WALLET', payloadToSign };
  return [{ accountOrWalletInfo }];
};
