/** A screening that is a service of the operator's. docs/reference/screening-protocol.md shows what goes to and fro. */
import { z } from 'zod';
import type { RailRequest } from '../domain/ports/rail-module.ts';
import {
  type ConnectedScreening,
  findings,
  type ScreenedCustomer,
  type ScreenedOwner,
  type ScreeningContext,
  verdicts,
} from '../domain/ports/screening.ts';
import { isSigned } from '../infrastructure/secrets/signed-message.ts';
import { parseExactly } from '../kernel/json.ts';
import { createServiceClient, type ServiceAddress } from './service-client.ts';

const textMax = 255;

const customerAnswer = z.object({ finding: z.enum([...findings, 'IN_PROGRESS']) });
const ownerAnswer = z.object({ finding: z.enum(findings) });

/** What the service posts to `POST /screening/events`. */
const screeningEvent = z.object({
  type: z.literal('verification.decided'),
  verificationId: z.string().min(1).max(textMax),
  verdict: z.enum(verdicts),
});

type Deps = Pick<ScreeningContext, 'reports' | 'now'> & { readonly newId: () => string };

export function httpScreening(address: ServiceAddress, { reports, newId, now }: Deps): ConnectedScreening {
  const call = createServiceClient({ ...address, newId, now });
  return {
    async customer(screened, { signal }) {
      const message = { type: 'customer.screen', ...wireCustomer(screened) };
      const answer = await call(message, customerAnswer, signal);
      return answer.finding === 'IN_PROGRESS' ? undefined : answer.finding;
    },
    async owner(owner, { signal }) {
      const answer = await call({ type: 'owner.screen', owner: wireOwner(owner) }, ownerAnswer, signal);
      return answer.finding;
    },
    async receive({ headers, body }: RailRequest) {
      if (!isSigned(address.secret, headers, body, now())) return 401;
      const event = screeningEvent.safeParse(parsed(body));
      if (!event.success) return 400;
      const { verificationId, verdict } = event.data;
      return (await reports.decided(verificationId, verdict)) === 'unknown' ? 404 : 200;
    },
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseExactly(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What is not named here does not leave, whatever a customer gets one day. */
function wireCustomer({ verificationId, customer, owners, documents }: ScreenedCustomer) {
  const { platformId, customerId, customerType, region, fullName, birthDate, nationality } = customer;
  const { address, email, phoneNumber, idType, identifier, countryOfIssuance, businessInfo } = customer;
  return {
    verificationId,
    customer: {
      platformId,
      customerId,
      customerType,
      region,
      fullName,
      birthDate,
      nationality,
      address,
      email,
      phoneNumber,
      idType,
      identifier,
      countryOfIssuance,
      businessInfo,
    },
    owners: owners.map(wireOwner),
    documents: documents.map(({ documentId, holder, documentType }) => ({
      documentId,
      holder,
      documentType,
    })),
  };
}

const wireOwner = ({ platformId, customerId, beneficialOwnerId, personalInfo }: ScreenedOwner) => ({
  platformId,
  customerId,
  beneficialOwnerId,
  personalInfo,
});
