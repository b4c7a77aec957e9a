import { describe, expect, it } from 'vitest';
import {
  activeCustomer,
  activePlatform,
  leavingCustomer,
  supported,
  supportedCurrency,
} from '../../support/builders/customers.ts';
import { payeeId, payeePlatformId } from '../../support/builders/identities.ts';
import { lookupDetails } from '../../support/builders/lookups.ts';
import { address, addressHere, bank } from '../../support/builders/parties.ts';
import { quoted } from '../../support/builders/quoted.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { localPayee } from '../../support/builders/terms.ts';
import type { Json } from '../../support/http/client.ts';

const refusal = (...what: Parameters<typeof quoted>) => thrownBy(() => quoted(...what));
const toAddress = { destinationType: 'UMA_ADDRESS', accountId: undefined, umaAddress: '$grace@bank.example' };
const payingAddress = { destination: toAddress, lookupId: lookupDetails().lookupId };

describe('the payee of a quote to an address', () => {
  const here = addressHere();
  const asking = activePlatform({
    supportedCurrencies: [
      ...supported('USD'),
      supportedCurrency('EUR', { requiredCounterpartyFields: [{ name: 'TAX_ID', mandatory: true }] }),
    ],
  });

  it('is fixed: customer, platform and account, or that it is outside', () => {
    expect(quoted(payingAddress, { destination: here }).payee).toEqual(localPayee);
    expect(quoted(payingAddress, { destination: address() }).payee).toEqual({ kind: 'OUTSIDE' });
    expect(quoted({}).payee).toBeUndefined();
  });

  it('is asked what the platform wants to know, and told what it has asked and what was sent', () => {
    const sent = { ...payingAddress, senderCustomerInfo: { NICKNAME: 'Ada', EMAIL: '' } };
    const lookup = lookupDetails({ requiredPayerDataFields: [{ name: 'FULL_NAME', mandatory: true }] });
    const sender = activeCustomer({ fullName: 'Ada Lovelace', email: 'ada@example.com', identifier: 'X1' });
    expect(quoted(sent, { destination: here, platform: asking, lookup, sender })).toMatchObject({
      requestedPayeeFields: [{ name: 'TAX_ID', mandatory: true }],
      payerInformation: { FULL_NAME: 'Ada Lovelace', NICKNAME: 'Ada' },
    });
  });

  it.each<[string, object, object]>([
    [
      'a customer who is not approved',
      { customer: { kycStatus: 'PENDING' } },
      { details: { reason: 'NOT_READY' } },
    ],
    [
      'an account that is not active',
      { account: { status: 'FROZEN' } },
      { details: { reason: 'NOT_READY' } },
    ],
    [
      'a platform of production that nobody can ask',
      { platform: { environment: 'production' } },
      { code: 'WEBHOOK_ENDPOINT_NOT_SET' },
    ],
  ])(
    'is not %s, which another platform is told no more of',
    (_whom, { customer, account, platform }: Json, wanted) => {
      const { receiver, payee } = here;
      const destination = {
        ...here,
        receiver: {
          ...receiver,
          customer: { ...receiver.customer, ...customer },
          platform: { ...receiver.platform, ...platform },
        },
        payee: { ...payee, account: { ...payee.account, account: { ...payee.account.account, ...account } } },
      } as never;
      expect(refusal(payingAddress, { destination })).toMatchObject(wanted);
    },
  );

  it('is told of in full where it is a customer of the platform itself', () => {
    const customer = activeCustomer({ customerId: payeeId, kycStatus: 'PENDING' });
    const destination = addressHere({ customer });
    expect(refusal(payingAddress, { destination })).toMatchObject({
      code: 'USER_NOT_READY',
      details: { kycStatus: 'PENDING' },
    });
  });

  it.each([
    ['another platform', payeePlatformId, { code: 'INVALID_RECEIVER', details: { reason: 'NOT_READY' } }],
    ['its own platform', undefined, { code: 'USER_NOT_READY' }],
  ])('is not a bank account of a customer who is being deleted, of %s', (_whose, of, wanted) => {
    const customer = leavingCustomer({ customerId: payeeId, ...(of && { platformId: of }) });
    const destination = { ...here, receiver: { ...here.receiver, customer } };
    expect(quoted(payingAddress, { destination }).payee).toEqual(localPayee);
    const payee = { ...here.payee, account: bank() };
    expect(refusal(payingAddress, { destination: { ...destination, payee } })).toMatchObject(wanted);
  });

  it('takes payments in some currency', () => {
    const destination = address({ currencies: [] });
    expect(refusal(payingAddress, { destination })).toMatchObject({ code: 'INVALID_RECEIVER' });
  });
});
