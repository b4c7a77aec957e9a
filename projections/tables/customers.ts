import type { Selectable } from 'kysely';
import type { CustomerDetails } from '../../src/domain/customers/customer.ts';
import type { CustomerType, KycStatus } from '../../src/domain/customers/events.ts';
import type { DocumentDetails } from '../../src/domain/documents/document.ts';
import type { DocumentHolder, DocumentType } from '../../src/domain/documents/events.ts';
import type { VerificationError, VerificationStatus } from '../../src/domain/verification/events.ts';
import type { OwnerDetails } from '../../src/domain/verification/owner.ts';
import type {
  BeneficialOwnerId,
  CustomerId,
  DocumentId,
  PlatformId,
  VerificationId,
} from '../../src/kernel/ids.ts';
export type CustomersTable = {
  id: CustomerId;
  platform_id: PlatformId;
  platform_customer_id: string;
  customer_type: CustomerType;
  uma_address: string;
  region: string;
  currencies: string[];
  /** Of a business, its kybStatus. */
  kyc_status: KycStatus;
  is_deleted: boolean;
  /** What the customer is, apart from what lists filter by. */
  details: CustomerProfile;
  created_at: Date;
  updated_at: Date;
};

export type CustomerRow = Selectable<CustomersTable>;

export type CustomerProfile = Pick<
  CustomerDetails,
  | 'email'
  | 'phoneNumber'
  | 'fullName'
  | 'birthDate'
  | 'nationality'
  | 'address'
  | 'idType'
  | 'countryOfIssuance'
  | 'businessInfo'
>;

export type BeneficialOwnersTable = {
  id: BeneficialOwnerId;
  platform_id: PlatformId;
  customer_id: CustomerId;
  roles: OwnerDetails['roles'];
  ownership_percentage: number;
  personal_info: OwnerDetails['personalInfo'];
  kyc_status: OwnerDetails['kycStatus'];
  created_at: Date;
  updated_at: Date;
};

export type BeneficialOwnerRow = Selectable<BeneficialOwnersTable>;

export type VerificationsTable = {
  id: VerificationId;
  platform_id: PlatformId;
  customer_id: CustomerId;
  status: VerificationStatus;
  errors: VerificationError[];
  created_at: Date;
  updated_at: Date;
};

export type VerificationRow = Selectable<VerificationsTable>;

export type DocumentsTable = {
  id: DocumentId;
  platform_id: PlatformId;
  document_holder: DocumentHolder;
  document_type: DocumentType;
  country: string;
  file_name: string;
  side: NonNullable<DocumentDetails['side']> | null;
  document_number: string | null;
  issuing_authority: string | null;
  created_at: Date;
  updated_at: Date;
};

export type DocumentRow = Selectable<DocumentsTable>;
