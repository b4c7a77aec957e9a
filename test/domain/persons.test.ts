import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../src/domain/aggregates.ts';
import { accountPaidIn, addressIn, personsOf } from '../../src/domain/persons.ts';
import { personalPathsOf } from '../../src/kernel/personal.ts';

type Asked = Parameters<typeof personsOf>[0];
const event = (type: string, data: object) => ({ type, data }) as unknown as Asked;

describe('what is personal in events', () => {
  it('is all of this', () => {
    const personal = Object.entries(eventSchemas).flatMap(([type, schema]) =>
      personalPathsOf(schema).map(({ path }) => `${type} ${path.join('.')}`),
    );
    expect(personal.toSorted()).toMatchInlineSnapshot(`
      [
        "AccountDebited opens.terms.counterpartyInformation",
        "AccountDebited opens.terms.description",
        "AccountDebited opens.terms.destination.umaAddress",
        "AccountDebited opens.terms.payerInformation",
        "AccountDebited opens.terms.remittanceInformation",
        "AccountDebited opens.terms.senderCustomerInfo",
        "AccountDebited opens.terms.source.umaAddress",
        "AccountStatusChanged reason",
        "AgentActionRejected rejectionReason",
        "AgentActionRequested operation.creates.counterpartyInformation",
        "AgentActionRequested operation.creates.description",
        "AgentActionRequested operation.creates.destination.umaAddress",
        "AgentActionRequested operation.creates.payerInformation",
        "AgentActionRequested operation.creates.remittanceInformation",
        "AgentActionRequested operation.creates.senderCustomerInfo",
        "AgentActionRequested operation.creates.source.umaAddress",
        "AgentActionRequested operation.transfer.description",
        "AgentActionRequested operation.transfer.destination.umaAddress",
        "AgentActionRequested operation.transfer.remittanceInformation",
        "AgentActionRequested operation.transfer.source.umaAddress",
        "AgentActionStarted operation.creates.counterpartyInformation",
        "AgentActionStarted operation.creates.description",
        "AgentActionStarted operation.creates.destination.umaAddress",
        "AgentActionStarted operation.creates.payerInformation",
        "AgentActionStarted operation.creates.remittanceInformation",
        "AgentActionStarted operation.creates.senderCustomerInfo",
        "AgentActionStarted operation.creates.source.umaAddress",
        "AgentActionStarted operation.transfer.description",
        "AgentActionStarted operation.transfer.destination.umaAddress",
        "AgentActionStarted operation.transfer.remittanceInformation",
        "AgentActionStarted operation.transfer.source.umaAddress",
        "BeneficialOwnerCreated personalInfo",
        "BeneficialOwnerUpdated note",
        "BeneficialOwnerUpdated personalInfo",
        "CredentialAdded identity.email",
        "CredentialAdded identity.subject",
        "CredentialAdded nickname",
        "CustomerCreated address",
        "CustomerCreated birthDate",
        "CustomerCreated businessInfo",
        "CustomerCreated countryOfIssuance",
        "CustomerCreated email",
        "CustomerCreated fullName",
        "CustomerCreated idType",
        "CustomerCreated identifier",
        "CustomerCreated nationality",
        "CustomerCreated phoneNumber",
        "CustomerCreated umaAddress",
        "CustomerEmailChanged email",
        "CustomerUpdated address",
        "CustomerUpdated birthDate",
        "CustomerUpdated businessInfo",
        "CustomerUpdated countryOfIssuance",
        "CustomerUpdated email",
        "CustomerUpdated fullName",
        "CustomerUpdated idType",
        "CustomerUpdated identifier",
        "CustomerUpdated nationality",
        "CustomerUpdated phoneNumber",
        "CustomerUpdated umaAddress",
        "DocumentReplaced documentNumber",
        "DocumentReplaced fileName",
        "DocumentUploaded documentNumber",
        "DocumentUploaded fileName",
        "ExternalAccountCreated accountInfo",
        "ExternalAccountCreated verification.fullName",
        "ExternalAccountStatusChanged reason",
        "IncomingPaymentCreated counterpartyInformation",
        "IncomingPaymentCreated destination.umaAddress",
        "IncomingPaymentCreated heldReceiverInformation",
        "IncomingPaymentCreated receiverUmaAddress",
        "IncomingPaymentCreated remittanceInformation",
        "IncomingPaymentCreated senderUmaAddress",
        "InvitationClaimed inviteeUma",
        "InvitationCreated firstName",
        "InvitationCreated inviterUma",
        "LookupCreated receiver",
        "PayeeDescribed counterpartyInformation",
        "PaymentApproved receiverCustomerInfo",
        "PaymentApproved told",
        "QuoteCreated counterpartyInformation",
        "QuoteCreated description",
        "QuoteCreated destination.umaAddress",
        "QuoteCreated payerInformation",
        "QuoteCreated remittanceInformation",
        "QuoteCreated senderCustomerInfo",
        "QuoteCreated source.umaAddress",
        "TokenIssued name",
        "TransactionRejected note",
        "TransferCreated description",
        "TransferCreated destination.umaAddress",
        "TransferCreated remittanceInformation",
        "TransferCreated source.umaAddress",
        "VerificationAssessed note",
      ]
    `);
  });
});

describe('about whom an event is', () => {
  it('is the customer of the event, or of its stream', () => {
    expect(personsOf(event('CustomerCreated', { customerId: 'Customer:1' }), {})).toEqual(['Customer:1']);
    const details = { customerId: 'Customer:2' };
    expect(personsOf(event('ExternalAccountStatusChanged', {}), { details })).toEqual(['Customer:2']);
    expect(personsOf(event('PaymentApproved', {}), { terms: { customerId: 'Customer:3' } })).toEqual([
      'Customer:3',
    ]);
    expect(personsOf(event('BeneficialOwnerUpdated', {}), { customerId: 'Customer:4' })).toEqual([
      'Customer:4',
    ]);
  });

  it('is also the other side of a payment', () => {
    const payee = { kind: 'CUSTOMER', customerId: 'Customer:2' };
    const quote = { customerId: 'Customer:1', payee };
    expect(personsOf(event('QuoteCreated', quote), { terms: { quote } })).toEqual([
      'Customer:1',
      'Customer:2',
    ]);
    expect(personsOf(event('PayeeDescribed', {}), { terms: { customerId: 'Customer:1', quote } })).toEqual([
      'Customer:1',
      'Customer:2',
    ]);
    const opens = { terms: { payee } };
    expect(personsOf(event('AccountDebited', { opens }), { customerId: 'Customer:1' })).toEqual([
      'Customer:1',
      'Customer:2',
    ]);
    const owned = { customerId: null, destinationOwner: 'Customer:2' };
    expect(personsOf(event('QuoteCreated', owned), { terms: { customerId: null, quote: owned } })).toEqual([
      'Customer:2',
    ]);
    expect(
      personsOf(event('AccountDebited', { opens: { terms: owned } }), { customerId: 'Customer:1' }),
    ).toEqual(['Customer:1', 'Customer:2']);
    const creates = { ...owned, customerId: 'Customer:1' };
    expect(
      personsOf(event('AgentActionRequested', { operation: { creates } }), { customerId: 'Customer:1' }),
    ).toEqual(['Customer:1', 'Customer:2']);
    const incoming = { customerId: 'Customer:2', origin: { transactionId: 'Transaction:1' } };
    expect(personsOf(event('IncomingPaymentCreated', incoming), {})).toEqual(['Customer:2', 'Transaction:1']);
  });

  it('is the holder of a document, the account of a wallet, and who is named by an address', () => {
    const documentHolder = 'BeneficialOwner:1';
    expect(personsOf(event('DocumentUploaded', { documentHolder }), {})).toEqual([documentHolder]);
    expect(personsOf(event('DocumentReplaced', {}), { details: { documentHolder } })).toEqual([
      documentHolder,
    ]);
    const credential = { accountId: 'InternalAccount:1', credentialId: 'AuthMethod:1' };
    expect(personsOf(event('CredentialAdded', credential), {})).toEqual(['InternalAccount:1']);
    const claimed = event('InvitationClaimed', { inviteeUma: '$ada@example.com' });
    const invited = { details: { customerId: 'Customer:1' } };
    expect(addressIn(claimed)).toBe('$ada@example.com');
    expect(personsOf(claimed, invited, ['Customer:2'])).toEqual(['Customer:1', 'Customer:2']);
  });

  it('is the account that a quote of a former version pays, whosever it is', () => {
    const accountId = 'ExternalAccount:1';
    const quote = { quoteId: 'Quote:1', destination: { kind: 'EXTERNAL', accountId } };
    const transfer = { destination: { kind: 'EXTERNAL', accountId } };
    for (const data of [quote, { opens: { terms: quote } }, { operation: { creates: quote } }])
      expect(accountPaidIn({ data })).toEqual([accountId]);
    for (const data of [
      { ...quote, destinationOwner: 'Customer:1' },
      { ...quote, destination: { kind: 'INTERNAL', accountId: 'InternalAccount:1' } },
      { opens: { terms: transfer } },
      transfer,
      { operation: { transfer } },
      {},
    ])
      expect(accountPaidIn({ data: data as object })).toEqual([]);
  });

  it('is nobody where it is the platform’s own', () => {
    expect(personsOf(event('ExternalAccountCreated', { customerId: null }), {})).toEqual([]);
    expect(personsOf(event('TokenIssued', { name: 'ours' }), undefined)).toEqual([]);
  });
});
