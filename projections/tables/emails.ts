/** Mails as the sandbox reads them. What they say is sealed; the read model is no copy of the log. */
import type { Selectable } from 'kysely';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';

export type EmailsTable = {
  id: string;
  platform_id: PlatformId;
  environment: 'sandbox' | 'production';
  /** Null once it was sent and nobody may read it any more. */
  sealed: Uint8Array | null;
  master_key_id: string;
  attempts: number;
  created_at: Date;
  /** Later it is of no use to its receiver. */
  expires_at: Date;
  /** Since when the log has what it is about, so that it may be sent. */
  released_at: Date | null;
  sent_at: Date | null;
};
export type EmailRow = Selectable<EmailsTable>;

export const listEmails = (db: ReadDb, platformId: PlatformId, page: PageRequest): Promise<Page<EmailRow>> =>
  paginate(
    db.selectFrom('emails').selectAll().where('platform_id', '=', platformId).where('sealed', 'is not', null),
    page,
    { list: 'emails' },
  );
