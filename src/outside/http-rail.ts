/** A rail that is a service of the operator's: questions go there as signed messages, and news comes back the same way. */
import type { Rail, RailContext, RailReports, RailRequest } from '../domain/ports/rail-module.ts';
import { isSigned } from '../infrastructure/secrets/signed-message.ts';
import { parseExactly } from '../kernel/json.ts';
import { Rejected } from '../kernel/rejected.ts';
import { checkAnswer, railEvent, statusAnswer, submitAnswer, wirePayment } from './rail-wire.ts';
import { createServiceClient, type ServiceAddress } from './service-client.ts';

type Deps = Pick<RailContext, 'reports' | 'now' | 'log'> & { readonly newId: () => string };

export function httpRail(address: ServiceAddress, { reports, newId, now, log }: Deps): Rail {
  const call = createServiceClient({ ...address, newId, now });
  return {
    async submit(payment, { signal }) {
      const message = { type: 'payment.submit', payment: wirePayment(payment) };
      const answer = await call(message, submitAnswer, signal);
      return answer.status === 'accepted' ? answer : { status: 'ended', ending: answer };
    },
    statusOf: (payment, { signal }) =>
      call({ type: 'payment.status', payment: wirePayment(payment) }, statusAnswer, signal),
    withdraw: (payment, { signal }) =>
      call({ type: 'payment.withdraw', payment: wirePayment(payment) }, statusAnswer, signal),
    receiverAt: () => undefined,
    async checkName(accountInfo, { signal }) {
      const answer = await call({ type: 'account.check', accountInfo }, checkAnswer, signal);
      if (answer.status === 'UNCHECKED') return undefined;
      if (answer.status !== 'INVALID') return answer;
      throw new Rejected('INVALID_BANK_ACCOUNT', answer.message ?? 'There is no such account.');
    },
    async receive(request) {
      const event = eventIn(address.secret, request, now());
      if (typeof event === 'number') return event;
      const told = await tell(reports, event);
      if (told !== 200) log.warn({ type: event.type, status: told }, 'an event of the rail was not taken');
      return told;
    },
  };
}

type RailEvent = ReturnType<typeof railEvent.parse>;

/** The event, or the status that refuses the request. */
function eventIn(secret: string, { headers, body }: RailRequest, now: Date): RailEvent | number {
  if (!isSigned(secret, headers, body, now)) return 401;
  try {
    return railEvent.parse(parseExactly(Buffer.from(body).toString('utf8')));
  } catch {
    return 400;
  }
}

/** 404 and 422 are for what Daybook cannot book: the service keeps it for its operator. What may pass is told again. */
async function tell(reports: RailReports, event: RailEvent): Promise<number> {
  switch (event.type) {
    case 'payment.ended': {
      const became = await reports.ended(event.paymentId, event.ending);
      if (became === 'unknown') return 404;
      return became === 'contradicted' ? 422 : 200;
    }
    case 'payment.news':
      await reports.news(event.paymentId);
      return 200;
    case 'money.arrived': {
      const arrival = await reports.arrived({ ...event, refusalIsFinal: true });
      if (arrival.status === 'unmatched') return 404;
      if (arrival.status !== 'refused') return 200;
      return arrival.stays ? 422 : 503;
    }
  }
}
