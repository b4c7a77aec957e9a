import type { ReadDb } from '../../../../projections/database.ts';
import { listEmails } from '../../../../projections/kept/emails.ts';
import type { SandboxIssuer } from '../../../sandbox/oidc-issuer.ts';
import type { Emails } from '../../../workers/mail/outbox.ts';
import { renderPage } from '../../fields/fields.ts';
import { type Route, route } from '../../operation.ts';
import { getOidcConfiguration, getOidcKeys, issueOidcToken, listEmailsOperation } from './operations.ts';
import { renderEmail } from './render.ts';

type Deps = { readonly listDb: ReadDb; readonly emails: Emails; readonly sandboxIssuer: SandboxIssuer };

export function sandboxWalletRoutes({ listDb, emails, sandboxIssuer }: Deps): readonly Route[] {
  return [
    route(issueOidcToken, async ({ body }) => ({
      status: 201,
      body: { oidcToken: await sandboxIssuer.sign(body) },
    })),
    route(getOidcConfiguration, async () => ({ status: 200, body: sandboxIssuer.metadata() })),
    route(getOidcKeys, async () => ({ status: 200, body: await sandboxIssuer.jwks() })),
    route(listEmailsOperation, async ({ principal, query }) => {
      const page = await listEmails(listDb, principal.platformId, query);
      return { status: 200, body: renderPage(page, (row) => renderEmail(row, emails.open(row))) };
    }),
  ];
}
