import { describe, expect, it } from 'vitest';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  activeCustomer,
  activePlatform,
  deletedCustomer,
  leavingCustomer,
  supported,
  supportedCurrency,
} from '../../support/builders/customers.ts';
import { validAccountInfo } from '../../support/builders/external-accounts.ts';
import {
  accountId,
  customerId,
  externalAccountId,
  payeeAccountId,
  payeeId,
  payerBankId,
  platformId,
  quoteId,
  transactionId,
} from '../../support/builders/identities.ts';
import { lookupDetails } from '../../support/builders/lookups.ts';
import { eur, money, usd } from '../../support/builders/money.ts';
import { address, balance, bank, outside, pullable } from '../../support/builders/parties.ts';
import { lifetimeMs, quoted, realtime } from '../../support/builders/quoted.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const refusal = (...what: Parameters<typeof quoted>) => thrownBy(() => quoted(...what));

const toAddress = { destinationType: 'UMA_ADDRESS', accountId: undefined, umaAddress: '$grace@bank.example' };
const lookupId = lookupDetails().lookupId;
const payingAddress = { destination: toAddress, lookupId };

describe('a new quote', () => {
  it('says who pays whom, what it costs and how long it holds', () => {
    expect(quoted({ description: 'Rent', purposeOfPayment: 'GIFT', remittanceInformation: 'March' })).toEqual(
      {
        transactionId,
        quoteId,
        platformId,
        customerId,
        platformCustomerId: 'user-1',
        source: { kind: 'INTERNAL', accountId },
        destination: { kind: 'EXTERNAL', accountId: externalAccountId, paymentRail: 'SEPA' },
        destinationOwner: customerId,
        refundTo: accountId,
        lockedCurrencySide: 'SENDING',
        sending: usd(100_00n),
        receiving: eur(79_60n),
        fees: 50n,
        exchangeRate: '1.25',
        rateDetails: expect.objectContaining({ serviceApiFixedFee: 50n }),
        reference: expect.stringMatching(/^DB[0-9A-F]{14}$/),
        description: 'Rent',
        purposeOfPayment: 'GIFT',
        remittanceInformation: 'March',
        expiresAt: msLater(lifetimeMs),
        at: testStart,
      },
    );
  });

  it('has no customer when the platform pays', () => {
    const who = { sender: undefined, source: balance({ customerId: null }) };
    expect(quoted({}, who)).toMatchObject({ customerId: null, platformCustomerId: null });
  });

  it('names whose external account is paid, whoever pays, and nobody where it is the platform’s', () => {
    const byPlatform = { sender: undefined, source: balance({ customerId: null }) };
    expect(quoted({}, byPlatform)).toMatchObject({ customerId: null, destinationOwner: customerId });
    expect(quoted({}, { destination: bank({ customerId: null }) })).not.toHaveProperty('destinationOwner');
  });

  it('keeps what the platform says of the payer', () => {
    const senderCustomerInfo = { FULL_NAME: 'Ada Lovelace', SHOE_SIZE: '37' };
    expect(quoted({ senderCustomerInfo })).toMatchObject({ senderCustomerInfo });
  });
});

describe('who can pay whom', () => {
  it.each(['UNVERIFIED', 'PENDING', 'REJECTED'] as const)('leaves out a customer who is %s', (kycStatus) => {
    const refused = { code: 'USER_NOT_READY', details: { kycStatus } };
    expect(refusal({}, { sender: activeCustomer({ kycStatus }) })).toMatchObject(refused);
  });

  it.each(['PENDING', 'CLOSED', 'FROZEN'] as const)('leaves out balances that are %s', (status) => {
    const refused = { code: 'USER_NOT_READY', details: { status } };
    expect(refusal({}, { source: balance({ status }) })).toMatchObject(refused);
    const destination = balance({ status, accountId: payeeAccountId });
    expect(refusal({}, { destination })).toMatchObject(refused);
  });

  it.each(['PENDING', 'UNDER_REVIEW', 'INACTIVE'] as const)(
    'leaves out bank accounts that are %s',
    (status) => {
      const refused = { code: 'INVALID_BANK_ACCOUNT', details: { status } };
      expect(refusal({}, { source: pullable({ status }) })).toMatchObject(refused);
      expect(refusal({}, { destination: bank({ status }) })).toMatchObject(refused);
    },
  );

  it.each([
    ['deleted', deletedCustomer, 'CUSTOMER_DELETED'],
    ['being deleted', leavingCustomer, 'USER_NOT_READY'],
  ])('leaves out bank accounts of a customer who is %s', (_what, customer, code) => {
    expect(refusal({}, { recipient: customer({ customerId: payeeId }) })).toMatchObject({ code });
    expect(refusal({}, { sender: customer(), source: pullable() })).toMatchObject({ code });
  });

  it('pays bank accounts of another customer, and names nobody as the recipient', () => {
    const recipient = activeCustomer({ customerId: payeeId });
    expect(quoted({}, { recipient })).toEqual(quoted({}));
  });

  it('leaves out balances that would hold more than the interface carries', () => {
    const { kind, account } = balance({ accountId: payeeAccountId, currency: 'EUR' });
    const holding = (held: bigint) => ({ destination: { kind, account: { ...account, balance: held } } });
    expect(refusal({}, holding(int64Max - 79_59n))).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' });
    expect(quoted({}, holding(int64Max - 79_60n)).receiving).toEqual(eur(79_60n));
  });

  it('leaves out bank accounts that cannot be pulled from, as sources', () => {
    const refused = { code: 'INVALID_BANK_ACCOUNT', details: { accountType: 'EUR_ACCOUNT' } };
    expect(refusal({}, { source: bank({ externalAccountId: payerBankId }) })).toMatchObject(refused);
  });

  it('pulls money outside in the sandbox alone, where a pull never fails', () => {
    const pulled = (environment: 'sandbox' | 'production') => ({
      source: pullable(),
      platform: activePlatform({ environment }),
    });
    expect(quoted({}, pulled('sandbox')).source).toMatchObject({ kind: 'EXTERNAL' });
    expect(refusal({}, pulled('production'))).toMatchObject({
      code: 'INVALID_BANK_ACCOUNT',
      message: expect.stringContaining('POST /transfer-in'),
    });
  });

  it('lets embedded wallets pay what they have signed', () => {
    const wallet = balance({ accountType: 'EMBEDDED_WALLET', accountId: payeeAccountId });
    expect(quoted({}, { source: wallet }).source).toEqual({
      kind: 'INTERNAL',
      accountId: payeeAccountId,
      payloadToSign: 'payload',
    });
    const atOnce = { immediatelyExecute: true };
    expect(refusal(atOnce, { source: wallet })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(quoted({}, { destination: wallet }).destination).toEqual({
      kind: 'INTERNAL',
      accountId: payeeAccountId,
    });
  });

  it.each([
    ['balance', { source: balance(), destination: balance() }],
    ['bank account', { source: pullable(), destination: pullable() }],
    ['payment address', { destination: address({ umaAddress: '$ada@pay.example' }) }],
  ])('leaves out paying oneself by %s', (_how, who) => {
    expect(refusal({}, who)).toMatchObject({ code: 'SELF_PAYMENT' });
  });

  it('leaves out a sender who does not own the source', () => {
    const errors = [{ field: 'source.customerId', message: 'must be the owner of the source account' }];
    expect(refusal({}, { named: activeCustomer({ customerId: payeeId }) })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors },
    });
  });
});

describe('the limits of the configuration', () => {
  const limited = (code: string) =>
    activePlatform({
      supportedCurrencies: [
        ...supported('USD', 'EUR', 'GBP').filter(({ currencyCode }) => currencyCode !== code),
        supportedCurrency(code, { minAmount: 10_00n, maxAmount: 20_00n }),
      ],
    });
  const details = { minAmount: 10_00n, maxAmount: 20_00n };
  const lockedAt = (lockedCurrencyAmount: number, lockedCurrencySide = 'SENDING') => ({
    lockedCurrencyAmount,
    lockedCurrencySide,
  });

  it.each([10_00, 15_00, 20_00])('allow %s', (amount) => {
    expect(quoted(lockedAt(amount), { platform: limited('USD') }).sending).toEqual(usd(BigInt(amount)));
  });

  it.each([9_99, 20_01])('refuse %s', (amount) => {
    const refused = { code: 'AMOUNT_OUT_OF_RANGE', details: { currency: 'USD', ...details } };
    expect(refusal(lockedAt(amount), { platform: limited('USD') })).toMatchObject(refused);
  });

  it.each([
    ['EUR', lockedAt(9_99)],
    ['EUR', lockedAt(9_99, 'RECEIVING')],
    ['USD', lockedAt(16_01, 'RECEIVING')],
    ['USD', lockedAt(20_01)],
  ])('in %s hold whichever side is locked: %j', (currency, request) => {
    const refused = { code: 'AMOUNT_OUT_OF_RANGE', details: { currency, ...details } };
    expect(refusal(request, { platform: limited(currency) })).toMatchObject(refused);
  });

  it('say in which currencies money is sent', () => {
    const settings = supportedCurrency('USD', { enabledTransactionTypes: ['INCOMING'] });
    const platform = activePlatform({ supportedCurrencies: [settings, ...supported('EUR')] });
    const refused = { code: 'INVALID_CURRENCY', details: { currencies: ['USD'] } };
    expect(refusal({}, { platform })).toMatchObject(refused);
  });

  it.each([['USD'], ['EUR']])('refuse %s once it is taken off the list', (code) => {
    const others = supported('USD', 'EUR').filter(({ currencyCode }) => currencyCode !== code);
    const refused = { code: 'INVALID_CURRENCY', details: { currencies: [code] } };
    expect(refusal({}, { platform: activePlatform({ supportedCurrencies: others }) })).toMatchObject(refused);
  });

  it('know no other currencies than the service', () => {
    const refused = { code: 'INVALID_CURRENCY', details: { currencies: ['XYZ'] } };
    expect(refusal({ source: realtime('XYZ') }, { source: outside('XYZ') })).toMatchObject(refused);
  });
});

describe('what the receiver wants to know of the payer', () => {
  const asking = (...fields: readonly (readonly [string, boolean])[]) => ({
    destination: address(),
    lookup: lookupDetails({
      requiredPayerDataFields: fields.map(([name, mandatory]) => ({ name, mandatory })) as never,
    }),
  });

  it('is demanded by name', () => {
    const who = asking(
      ['FULL_NAME', true],
      ['TAX_ID', true],
      ['EMAIL', false],
      ['COUNTRY_OF_RESIDENCE', true],
    );
    expect(refusal(payingAddress, who)).toMatchObject({
      code: 'MISSING_MANDATORY_USER_INFO',
      details: { requiredFields: ['FULL_NAME', 'TAX_ID'] },
    });
  });

  it('may be sent or known already', () => {
    const who = {
      ...asking(['FULL_NAME', true], ['TAX_ID', true]),
      sender: activeCustomer({ fullName: 'Ada' }),
    };
    const sent = { ...payingAddress, senderCustomerInfo: { TAX_ID: '123' } };
    expect(quoted(sent, who).destination).toEqual({ kind: 'UMA_ADDRESS', umaAddress: '$grace@bank.example' });
  });
});

describe('the currency that a payment address receives', () => {
  const who = { destination: address({ currencies: ['EUR', 'USDC'] }) };

  it('is the first that it takes, or one of the others', () => {
    expect(quoted(payingAddress, who).receiving).toEqual(eur(79_60n));
    const chosen = { ...payingAddress, destination: { ...toAddress, currency: 'USDC' } };
    expect(quoted(chosen, who).receiving).toEqual(money(99_500_000n, 'USDC'));
  });

  it('is none that it does not take', () => {
    const chosen = { ...payingAddress, destination: { ...toAddress, currency: 'USD' } };
    const refused = { code: 'INVALID_CURRENCY', details: { currencies: ['USD'] } };
    expect(refusal(chosen, who)).toMatchObject(refused);
  });
});

describe('the rail of a payment to a bank account', () => {
  it.each([
    ['EUR_ACCOUNT', 'EUR', undefined, 'SEPA'],
    ['EUR_ACCOUNT', 'EUR', 'SEPA_INSTANT', 'SEPA_INSTANT'],
    ['USD_ACCOUNT', 'USD', 'WIRE', 'WIRE'],
    ['ETHEREUM_WALLET', 'USDC', undefined, undefined],
  ] as const)('is for type %s in %s, asked for %s: %s', (accountType, currency, asked, rail) => {
    const destination = bank({ currency, accountInfo: validAccountInfo(accountType) });
    const stored = quoted({ destination: { paymentRail: asked } }, { destination }).destination;
    expect('paymentRail' in stored ? stored.paymentRail : undefined).toBe(rail);
  });

  it('reaches an account that has no number but that of a phone, and is another one where it is asked for', () => {
    const byPhone = { accountNumber: undefined, phoneNumber: '+573001234567' };
    const accountInfo = validAccountInfo('SLV_ACCOUNT', byPhone);
    const destination = bank({ currency: 'USD', accountInfo });
    const stored = (asked?: 'BANK_TRANSFER') =>
      quoted({ destination: { paymentRail: asked } }, { destination }).destination;
    expect([stored(), stored('BANK_TRANSFER')]).toMatchObject([
      { paymentRail: 'MOBILE_MONEY' },
      { paymentRail: 'BANK_TRANSFER' },
    ]);
  });

  it.each(['EUR_ACCOUNT', 'ETHEREUM_WALLET'] as const)(
    'is refused for type %s where it has no such rail',
    (accountType) => {
      const destination = bank({ accountInfo: validAccountInfo(accountType) });
      const errors = [{ field: 'destination.paymentRail', constraint: { enum: expect.any(Array) } }];
      expect(refusal({ destination: { paymentRail: 'WIRE' } }, { destination })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { errors },
      });
    },
  );
});
