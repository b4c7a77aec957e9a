/** Mails as the sandbox reads them. What they say is sealed; the read model is no copy of the log. */

import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { EmailRow } from '../tables/wallets.ts';

export const listEmails = (db: ReadDb, platformId: PlatformId, page: PageRequest): Promise<Page<EmailRow>> =>
  paginate(
    db.selectFrom('emails').selectAll().where('platform_id', '=', platformId).where('sealed', 'is not', null),
    page,
    { list: 'emails' },
  );
