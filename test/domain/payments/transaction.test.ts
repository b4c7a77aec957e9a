import { describe, expect, it } from 'vitest';
import { failureReasons } from '../../../src/domain/payments/events.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { accountId, payeeAccountId, transactionId } from '../../support/builders/identities.ts';
import { eur, usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import {
  fromBank,
  fromOutside,
  origin,
  quoteLifetimeMs,
  quoteTerms,
  toBalance,
  toBank,
  transferIn,
  transferOut,
} from '../../support/builders/terms.ts';
import {
  arrivalConfirmed,
  creditDue,
  executionRefused,
  fundsReceived,
  incomingPaymentCreated,
  paidOut,
  paymentApproved,
  paymentReturned,
  paymentSubmitted,
  posting,
  quoteCreated,
  refundCompleted,
  refundFailed,
  transactionCancelled,
  transactionCompleted,
  transactionExpired,
  transactionFailed,
  transactionProcessing,
  transactionRejected,
  transferCreated,
  without,
} from '../../support/builders/transactions.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(transaction);
const at = msLater(quoteLifetimeMs);
const reason = 'OFFRAMP_FAILED';
const nothingTaken = ['refund', 'refundTo'];

const processing = [quoteCreated(), transactionProcessing()];
const completed = [...processing, transactionCompleted()];
const failed = [...processing, transactionFailed()];
const expired = [quoteCreated(), transactionExpired()];

describe('a quote', () => {
  it('keeps its terms as they were made', () =>
    given().when({ type: 'CreateQuote', terms: quoteTerms() }).then(quoteCreated()));

  it('does not change when another is made under its id', () =>
    given(quoteCreated())
      .when({ type: 'CreateQuote', terms: quoteTerms({ sending: usd(1n) }) })
      .thenNothing());

  it('does not expire a millisecond early', () =>
    given(quoteCreated())
      .when({ type: 'ExpireQuote', at: msLater(quoteLifetimeMs - 1) })
      .thenNothing());

  it('expires on time', () =>
    given(quoteCreated()).when({ type: 'ExpireQuote', at }).then(transactionExpired({ at })));

  it('still runs when the debit came in time and the expiry has not been recorded', () =>
    given(quoteCreated()).when({ type: 'StartProcessing', at }).then(transactionProcessing({ at })));

  it('gives a debit back that came after its expiry', () =>
    given(...expired)
      .when({ type: 'StartProcessing', at })
      .then(executionRefused({ at })));

  it('to a balance has the amount converted and ready as soon as it is paid', () =>
    given(quoteCreated({ destination: toBalance }))
      .when({ type: 'StartProcessing', at })
      .then(
        transactionProcessing({ at }),
        creditDue({
          ...{ accountId: payeeAccountId, amount: eur(91_54n), from: 'in-flight', at },
          postings: [...paidOut.slice(0, -1), posting('in-flight', 91_54n, 'EUR')],
        }),
      ));

  it('from a balance takes no money from outside', () =>
    given(quoteCreated())
      .when({ type: 'ReceiveFunds', amount: usd(100_00n), requestedBy: 'request-1', at })
      .thenNothing());
});

describe.each([fromBank, fromOutside])('money from outside ($kind) for a quote', (source) => {
  const receive = (minor: bigint) =>
    ({ type: 'ReceiveFunds', amount: usd(minor), requestedBy: 'request-1', at }) as const;

  it('is in flight once it is there', () =>
    given(quoteCreated({ source })).when(receive(100_00n)).then(fundsReceived({ at })));

  it.each([1n, 99_99n, 100_01n])('goes back the way it came when it is %s', (minor) =>
    given(quoteCreated({ source }))
      .when(receive(minor))
      .then(
        fundsReceived({ amount: usd(minor), at }),
        without(transactionFailed({ reason: 'QUOTE_EXECUTION_FAILED', refund: usd(minor), at }), 'refundTo'),
      ),
  );

  it('goes back to the balance that its quote names', () =>
    given(quoteCreated({ source, refundTo: accountId }))
      .when(receive(1n))
      .then(
        fundsReceived({ amount: usd(1n), at }),
        transactionFailed({ reason: 'QUOTE_EXECUTION_FAILED', refund: usd(1n), at }),
      ));

  it('is remembered with the request that sent it, to the end', () => {
    const history = [
      quoteCreated({ source }),
      fundsReceived({ requestedBy: 'request-7' }),
      transactionCompleted(),
    ];
    const states = history.map((_event, n) => stateOf(transaction, ...history.slice(0, n + 1)));
    const payers = states.map((state) => ('fundedBy' in state ? state.fundedBy : undefined));
    expect(payers).toEqual([undefined, 'request-7', 'request-7']);
  });
});

describe('a transfer', () => {
  it.each([transferIn(), transferOut()])('keeps its terms ($direction)', (terms) =>
    given().when({ type: 'CreateTransfer', terms }).then(transferCreated(terms)),
  );

  it('begins with its submission where the rail has taken it', () => {
    const terms = transferIn();
    const taken = { reference: 'RAIL-7', underway: true, checkAt: at };
    given()
      .when({ type: 'CreateTransfer', terms, taken })
      .then(transferCreated(terms), paymentSubmitted({ ...taken, at: terms.at }));
  });

  it('that has begun is not taken twice', () => {
    const terms = transferIn();
    const taken = { reference: 'RAIL-7', underway: true };
    given(transferCreated(terms)).when({ type: 'CreateTransfer', terms, taken }).thenNothing();
  });

  it('out pays all that it took to the rail, without fees', () =>
    given(transferCreated())
      .when({ type: 'SettlePayment', at: testStart })
      .then(transactionCompleted({ postings: [posting('in-flight', -100_00n), posting('rail', 100_00n)] })));

  it('out owes what it took from its first event on', () =>
    given(transferCreated()).when({ type: 'FailTransaction', reason, at }).then(transactionFailed({ at })));

  it('in is credited from the rail', () =>
    given(transferCreated(transferIn())).when({ type: 'SettlePayment', at }).then(creditDue({ at })));

  it('in owes nothing when it fails', () =>
    given(transferCreated(transferIn()))
      .when({ type: 'FailTransaction', reason, at })
      .then(without(transactionFailed({ at }), ...nothingTaken)));

  it('stays pending until the rail says that it is under way', () => {
    const statuses = [false, true].map(
      (underway) => stateOf(transaction, transferCreated(), paymentSubmitted({ underway })).status,
    );
    expect(statuses).toEqual(['PENDING', 'PROCESSING']);
  });
});

describe('a payment', () => {
  it('remembers its first submission', () =>
    given(...processing)
      .when({
        type: 'RecordSubmission',
        reference: 'RAIL-1',
        underway: true,
        checkAt: msLater(1_000),
        at: testStart,
      })
      .then(paymentSubmitted()));

  it('settles by its terms, and says when the rail is asked again', () =>
    given(...processing)
      .when({ type: 'SettlePayment', checkAt: msLater(7), at: testStart })
      .then(transactionCompleted({ checkAt: msLater(7) })));

  describe('that has arrived, and is asked about once more', () => {
    const arrived = [...processing, transactionCompleted({ checkAt: msLater(7) })];
    const still = (ms: number, checkAt?: Date) =>
      ({ type: 'SettlePayment', checkAt, at: msLater(ms) }) as const;

    it('is asked about no more where the rail names no time', () => {
      const confirmed = arrivalConfirmed({ at: msLater(7) });
      given(...arrived)
        .when(still(7))
        .then(confirmed);
      given(...arrived, confirmed)
        .when(still(8))
        .thenNothing();
    });

    it('is asked about when the rail says, each time once', () => {
      const confirmed = arrivalConfirmed({ checkAt: msLater(20), at: msLater(7) });
      given(...arrived)
        .when(still(7, msLater(20)))
        .then(confirmed);
      given(...arrived, confirmed)
        .when(still(19))
        .thenNothing();
      given(...arrived, confirmed)
        .when(still(20))
        .then(arrivalConfirmed({ at: msLater(20) }));
    });

    it('is asked about again an hour later at the earliest, from the second time on', () => {
      const [hourMs, soon] = [3_600_000, arrivalConfirmed({ checkAt: msLater(20), at: msLater(7) })];
      given(...arrived, soon)
        .when(still(20, msLater(30)))
        .then(arrivalConfirmed({ checkAt: msLater(hourMs + 20), at: msLater(20) }));
      const later = msLater(2 * hourMs);
      given(...arrived, soon)
        .when(still(20, later))
        .then(arrivalConfirmed({ checkAt: later, at: msLater(20) }));
    });

    it.each([
      ['before its time', still(6, msLater(20))],
      ['for a time that has come', still(9, msLater(9))],
    ])('hears no news %s', (_when, command) =>
      given(...arrived)
        .when(command)
        .thenNothing(),
    );

    it('may come back after that', () =>
      given(...arrived, arrivalConfirmed({ checkAt: msLater(20), at: msLater(7) }))
        .when({ type: 'ReturnPayment', reason, at })
        .then(paymentReturned({ at })));
  });

  it.each(failureReasons)('fails for %s and owes all that it took', (because) =>
    given(...processing)
      .when({ type: 'FailTransaction', reason: because, at })
      .then(transactionFailed({ reason: because, at })),
  );

  it('may fail for good', () =>
    given(...processing)
      .when({ type: 'FailTransaction', reason, refundFails: true, at })
      .then(transactionFailed({ refundFails: true, at })));

  it('owes as much when it is rejected or cancelled', () => {
    const rejected = transactionRejected({ at });
    given(...processing)
      .when({ type: 'RejectTransaction', reason, at })
      .then(rejected);
    given(...processing)
      .when({ type: 'CancelTransaction', at })
      .then(transactionCancelled({ at }));
  });

  it('that comes back is in flight again, fees included', () =>
    given(...completed)
      .when({ type: 'ReturnPayment', reason, at })
      .then(paymentReturned({ at })));

  it('may fail for good when it had arrived', () =>
    given(...completed)
      .when({ type: 'ReturnPayment', reason, refundFails: true, at })
      .then(paymentReturned({ refundFails: true, at })));

  it('to a balance does not come back', () =>
    given(
      quoteCreated({ destination: toBalance }),
      transactionProcessing(),
      creditDue(),
      transactionCompleted(),
    )
      .when({ type: 'ReturnPayment', reason, at })
      .thenNothing());

  it('tells its origin how it went, and asks the rail again, since the money may come back', () =>
    given(incomingPaymentCreated({ origin, destination: toBank }), paymentApproved())
      .when({ type: 'SettlePayment', checkAt: msLater(7), at })
      .then({ type: 'TransactionCompleted', data: { transactionId, checkAt: msLater(7), origin, at } }));
});

describe('a refund', () => {
  it('to a balance was booked there', () =>
    given(...failed)
      .when({ type: 'RecordRefund', at })
      .then(refundCompleted({ at })));

  it('that goes back the way it came is booked here', () =>
    given(quoteCreated({ source: fromBank }), fundsReceived(), transactionFailed())
      .when({ type: 'RecordRefund', at })
      .then(refundCompleted({ postings: [posting('in-flight', -100_00n), posting('rail', 100_00n)], at })));

  it('that fails is lost to the outside', () =>
    given(...failed)
      .when({ type: 'FailRefund', at })
      .then(refundFailed({ at })));
});
