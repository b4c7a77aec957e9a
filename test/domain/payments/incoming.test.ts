import { describe, expect, it } from 'vitest';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { transactionId } from '../../support/builders/identities.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import {
  approvalMs,
  incomingPayment,
  origin,
  quoteLifetimeMs,
  toBank,
} from '../../support/builders/terms.ts';
import {
  approvalDeferred,
  creditDue,
  incomingPaymentCreated,
  paymentApproved,
  transactionFailed,
  transactionRejected,
  without,
} from '../../support/builders/transactions.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(transaction);
const at = msLater(approvalMs - 1);
const late = msLater(quoteLifetimeMs);
const nothingTaken = ['refund', 'refundTo'];
const asked = [incomingPaymentCreated({ approvalDueAt: msLater(approvalMs) })];
const askedHere = [incomingPaymentCreated({ approvalDueAt: msLater(approvalMs), origin })];

describe('an incoming payment', () => {
  const create = (overrides: Parameters<typeof incomingPayment>[0] = {}) =>
    ({ type: 'CreateIncomingPayment', terms: incomingPayment(overrides) }) as const;

  it('is approved at once where nobody is asked', () =>
    given().when(create()).then(incomingPaymentCreated(), paymentApproved()));

  it('waits where the platform is asked', () =>
    given()
      .when(create({ approvalDueAt: msLater(approvalMs) }))
      .then(incomingPaymentCreated({ approvalDueAt: msLater(approvalMs) })));

  it('from a customer here is credited as soon as it is approved', () =>
    given()
      .when(create({ origin }))
      .then(incomingPaymentCreated({ origin }), paymentApproved(), creditDue()));

  it('from a customer here to a bank account waits for the rail', () =>
    given()
      .when(create({ origin, destination: toBank }))
      .then(incomingPaymentCreated({ origin, destination: toBank }), paymentApproved()));

  it('keeps what the platform says of the receiver', () =>
    given(...asked)
      .when({ type: 'ApprovePayment', receiverCustomerInfo: { FULL_NAME: 'Ada' }, at: testStart })
      .then(paymentApproved({ receiverCustomerInfo: { FULL_NAME: 'Ada' } })));

  const asksFor = (...names: readonly string[]) => ({
    requestedReceiverCustomerInfoFields: names.map((name) => ({ name, mandatory: name !== 'EMAIL' })),
  });
  const dueAt = { approvalDueAt: msLater(approvalMs) };
  const demanding = [incomingPaymentCreated({ ...dueAt, origin, ...asksFor('TAX_ID', 'EMAIL') })];

  it('is refused an approval that leaves out what is mandatory, and waits on', () =>
    given(...demanding)
      .when({ type: 'ApprovePayment', receiverCustomerInfo: { EMAIL: 'a@b.example', TAX_ID: '' }, at })
      .thenRejected('MISSING_MANDATORY_USER_INFO', { requiredFields: ['TAX_ID'] }));

  it('fails where that is the last word', () => {
    const reason = 'MISSING_MANDATORY_PAYEE_DATA';
    given(...demanding)
      .when({ type: 'ApprovePayment', isLastWord: true, at })
      .then(without(transactionFailed({ reason, origin, at }), ...nothingTaken));
  });

  it('fails at once where nobody is asked and something mandatory is not known', () => {
    const overrides = { origin, ...asksFor('TAX_ID') };
    given()
      .when(create(overrides))
      .then(
        incomingPaymentCreated(overrides),
        without(transactionFailed({ reason: 'MISSING_MANDATORY_PAYEE_DATA', origin }), ...nothingTaken),
      );
  });

  it('tells its origin what is known and asked, and all that the platform says, which comes first', () => {
    const heldReceiverInformation = { FULL_NAME: 'Grace', EMAIL: 'old@bank.example' };
    const receiverCustomerInfo = { TAX_ID: '7', EMAIL: 'new@bank.example' };
    const told = { FULL_NAME: 'Grace', ...receiverCustomerInfo };
    const held = incomingPaymentCreated({ ...dueAt, origin, destination: toBank, heldReceiverInformation });
    given(held)
      .when({ type: 'ApprovePayment', receiverCustomerInfo, at })
      .then(paymentApproved({ receiverCustomerInfo, told, origin, at }));
  });

  it.each(['ApprovePayment', 'RejectPayment'] as const)(
    'is too late for %s once its time is over',
    (type) => {
      const approvalDueAt = msLater(approvalMs);
      given(...asked)
        .when({ type, at: approvalDueAt })
        .thenRejected('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', {
          approvalDueAt: approvalDueAt.toISOString(),
        });
    },
  );

  it.each([{ note: 'Not ours' }, {}])('is rejected with a note or without: %j', (note) =>
    given(...asked)
      .when({ type: 'RejectPayment', ...note, at })
      .then({ type: 'TransactionRejected', data: { transactionId, ...note, at } }),
  );

  it('fails when nobody has answered in time, and not a millisecond before', () => {
    const end = (ms: number) => given(...asked).when({ type: 'EndApproval', at: msLater(ms) });
    const timedOut = { reason: 'PAYMENT_APPROVAL_TIMED_OUT', at: msLater(approvalMs) } as const;
    end(approvalMs - 1).thenNothing();
    end(approvalMs).then(without(transactionFailed(timedOut), ...nothingTaken));
  });

  it('may be decided later: then that time counts', () => {
    const later = approvalDeferred({ approvalDueAt: msLater(3_000), at: testStart });
    given(...asked)
      .when({ type: 'DeferApproval', until: msLater(3_000), at: testStart })
      .then(later);
    const end = (ms: number) => given(...asked, later).when({ type: 'EndApproval', at: msLater(ms) });
    end(2_999).thenNothing();
    const timedOut = { reason: 'PAYMENT_APPROVAL_TIMED_OUT', at: msLater(3_000) } as const;
    end(3_000).then(without(transactionFailed(timedOut), ...nothingTaken));
  });

  it('is put off once, however often the platform is asked', () => {
    given(...asked, approvalDeferred({ approvalDueAt: msLater(3_000), at: testStart }))
      .when({ type: 'DeferApproval', until: msLater(4_000), at: msLater(1_000) })
      .thenNothing();
  });

  it('is not put off when the time is over, or when nobody is asked', () => {
    const put = {
      type: 'DeferApproval',
      until: msLater(approvalMs + 5_000),
      at: msLater(approvalMs),
    } as const;
    given(...asked)
      .when(put)
      .thenNothing();
    given(incomingPaymentCreated(), paymentApproved())
      .when({ ...put, at: testStart })
      .thenNothing();
  });

  it.each([
    ['RejectPayment', at],
    ['EndApproval', late],
  ] as const)('tells its origin of %s', (type, when) => {
    const [ended] = transaction.decide({ type, at: when }, stateOf(transaction, ...askedHere));
    expect(ended?.data).toMatchObject({ origin });
  });
});

describe('of approval, rejection and time running out, the first', () => {
  const answers = {
    approval: paymentApproved(),
    rejection: without(transactionRejected(), ...nothingTaken),
    'running out of time': without(transactionFailed(), ...nothingTaken),
  };

  it.each(Object.entries(answers))('counts when it is the %s', (_name, answer) => {
    const history = [...asked, answer];
    const { status } = stateOf(transaction, ...history);
    const details = { status };
    const notWaiting = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
    given(...history)
      .when({ type: 'ApprovePayment', at })
      .thenRejected(notWaiting, details);
    given(...history)
      .when({ type: 'RejectPayment', at })
      .thenRejected(notWaiting, details);
    given(...history)
      .when({ type: 'EndApproval', at: late })
      .thenNothing();
  });
});
