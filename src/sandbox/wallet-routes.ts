import type { ReadDb } from '../../projections/database.ts';
import { listEmails } from '../../projections/emails.ts';
import type { Emails } from '../emails/emails.ts';
import { renderPage } from '../infrastructure/http/fields.ts';
import { type Route, route } from '../infrastructure/http/operation.ts';
import type { SandboxIssuer } from './oidc-issuer.ts';
import {
  getOidcConfiguration,
  getOidcKeys,
  issueOidcToken,
  listEmailsOperation,
  renderEmail,
} from './wallet-api.ts';

type Deps = { readonly readDb: ReadDb; readonly emails: Emails; readonly sandboxIssuer: SandboxIssuer };

export function sandboxWalletRoutes({ readDb, emails, sandboxIssuer }: Deps): readonly Route[] {
  return [
    route(issueOidcToken, async ({ body }) => ({
      status: 201,
      body: { oidcToken: await sandboxIssuer.sign(body) },
    })),
    route(getOidcConfiguration, async () => ({ status: 200, body: sandboxIssuer.metadata() })),
    route(getOidcKeys, async () => ({ status: 200, body: await sandboxIssuer.jwks() })),
    route(listEmailsOperation, async ({ principal, query }) => {
      const page = await listEmails(readDb, principal.platformId, query);
      return { status: 200, body: renderPage(page, (row) => renderEmail(row, emails.open(row))) };
    }),
  ];
}
