/** Who checks customers and owners, as a port. How to write one stands in docs/how-to/connect-screening.md. */
import type {
  BeneficialOwnerId,
  CustomerId,
  DocumentId,
  PlatformId,
  VerificationId,
} from '../../kernel/ids.ts';
import type { KnownCustomer } from '../customers/customer.ts';
import type { DocumentType } from '../documents/events.ts';
import type { PersonalInfo } from '../verification/personal-info.ts';
import type { Asked } from './payment-rail.ts';
import type { RailContext, RailRequest } from './rail-module.ts';

export const findings = ['PENDING', 'APPROVED', 'REJECTED'] as const;
/** `PENDING`: somebody looks at it, and the decision comes later. */
export type Finding = (typeof findings)[number];

export type ScreenedOwner = {
  readonly platformId: PlatformId;
  readonly customerId: CustomerId;
  readonly beneficialOwnerId: BeneficialOwnerId;
  readonly personalInfo: PersonalInfo;
};

export type ScreenedCustomer = {
  readonly verificationId: VerificationId;
  readonly customer: KnownCustomer;
  readonly owners: readonly ScreenedOwner[];
  readonly documents: readonly {
    readonly documentId: DocumentId;
    /** The customer, or an owner. */
    readonly holder: CustomerId | BeneficialOwnerId;
    readonly documentType: DocumentType;
  }[];
  /** Nothing is missing for the check to begin. */
  readonly isComplete: boolean;
};

export type Screening = {
  /** What the check of a customer comes to; `undefined` while it goes on. Safe to repeat. Throws where it cannot say. */
  customer(screened: ScreenedCustomer, asked: Asked): Promise<Finding | undefined>;
  /** The same of one owner of a business. */
  owner(owner: ScreenedOwner, asked: Asked): Promise<Finding>;
};

/** Where nobody is connected every check stays open, until an operator decides. */
export const noScreening = {
  customer: async () => undefined,
  owner: async (): Promise<Finding> => 'PENDING',
};

export const verdicts = ['APPROVED', 'REJECTED'] as const;
export type Verdict = (typeof verdicts)[number];

/** What the screening tells by itself. Resolves once the log has it, and is safe to repeat. Throws for what is no verdict. */
export type ScreeningReports = {
  /** `unchanged` where it has ended already, `unknown` where there is no such verification. */
  readonly decided: (
    verificationId: string,
    verdict: Verdict,
  ) => Promise<'recorded' | 'unchanged' | 'unknown'>;
};

export type ScreeningContext = Pick<RailContext, 'settings' | 'now' | 'log'> & {
  readonly reports: ScreeningReports;
};

export type ConnectedScreening = Screening & {
  /** Takes what the outside world posts to `POST /screening/events`. Returns the status to answer with. */
  receive?(request: RailRequest): Promise<number>;
  close?(): Promise<void>;
};

export type CreateScreening = (context: ScreeningContext) => ConnectedScreening | Promise<ConnectedScreening>;

/** For `export default` of a screening's module: gives its types. */
export const defineScreening = (create: CreateScreening): CreateScreening => create;
