/** What people were mailed: by the log, which says for whom a code was issued, and for whom no more. */
import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import { erasedWord } from '../../../../src/kernel/personal.ts';
import { credentialsOf, sealerOfLives } from '../installation.ts';
import { codeOf, type Posted } from '../ports/mails.ts';
import type { Known, Rule } from './rules.ts';

type Issued = {
  readonly position: bigint;
  readonly platformId: string;
  /** Of the credential when the code was issued; the word for it where the person is erased. */
  readonly email: string;
  /** How the platform calls its product by then. */
  readonly appName: string | undefined;
};

/** The codes of a log, by their ids. */
function codesIn(log: readonly DomainEvent[]): ReadonlyMap<string, Issued> {
  const emails = new Map<string, string>();
  const appNames = new Map<string, string | undefined>();
  const issued = new Map<string, Issued>();
  for (const { type, data, position, metadata } of log) {
    const { platformId } = metadata;
    if (type === 'PlatformConfigChanged' && data.embeddedWalletConfig)
      appNames.set(platformId, data.embeddedWalletConfig.appName);
    if (type === 'CredentialAdded' && data.identity.type === 'EMAIL_OTP')
      emails.set(data.credentialId, data.identity.email);
    if (type === 'CustomerEmailChanged') for (const id of data.credentialIds) emails.set(id, data.email);
    if (type !== 'OneTimeCodeIssued') continue;
    const email = emails.get(data.credentialId) ?? '';
    issued.set(data.codeId, { position, platformId, email, appName: appNames.get(platformId) });
  }
  return issued;
}

/** What the platforms have that nobody is mailed. */
const secretsOf = ({ holdings }: Known): readonly string[] =>
  holdings.flatMap(({ agents, tokens, customers }, by) => [
    credentialsOf(by).clientSecret,
    ...agents.map(({ accessToken }) => accessToken),
    ...tokens.map(({ clientSecret }) => clientSecret),
    ...customers.flatMap(({ wallet }) => wallet.sessions.map(({ privateKey }) => privateKey)),
  ]);

/** Each mail with what the log had of its code when it was sent. */
function* withCodes({ mails, at }: Known): Iterable<Posted & { readonly issued: Issued }> {
  const codes = new Map<Known, ReadonlyMap<string, Issued>>();
  for (const posted of mails) {
    const known = at(posted.logEnd);
    const all = codes.get(known) ?? codesIn(known.finished);
    codes.set(known, all);
    const issued = all.get(posted.id);
    if (issued) yield { ...posted, issued };
  }
}

/** Where the platforms read their own mails: the only place but the mail itself that has a code. */
const mailsOfSandbox = '/sandbox/emails';

export const ofMails: Readonly<Record<string, Rule>> = {
  *'a mail is of a code that the log had when it was sent'({ mails, timelines }) {
    const codes = codesIn(timelines.happened);
    for (const { id, logEnd, isThere, isReleased } of mails) {
      const position = codes.get(id)?.position;
      if (position === undefined || position > logEnd || (isThere && !isReleased))
        yield `${id}, issued at ${position}, sent at ${logEnd}`;
    }
  },

  *'a code that is issued is mailed'({ mails, finished, begins }) {
    const sent = new Set(mails.map(({ id }) => id));
    for (const [id, { email, position }] of codesIn(finished))
      if (!sent.has(id) && email !== erasedWord && position > begins) yield `${id} at ${position}`;
  },

  *'a mail goes to the address that its credential has'(known) {
    for (const { id, mail, issued } of withCodes(known))
      if (mail.to !== issued.email && issued.email !== erasedWord)
        yield `${id} to ${mail.to} in place of ${issued.email}`;
  },

  *'a mail speaks for its platform'(known) {
    for (const { id, mail, issued } of withCodes(known))
      if (mail.subject !== `Your code for ${issued.appName}`) yield `${id}: ${mail.subject}`;
  },

  *'a mail brings the code that is taken'({ mails }) {
    for (const posted of mails) {
      const { id, mac } = posted;
      const known = mac && { masterKeyId: sealerOfLives.masterKeyId, mac: Buffer.from(mac, 'hex') };
      if (known && !sealerOfLives.matches(codeOf(posted), `one-time code ${id}`, known)) yield id;
    }
  },

  *'a mail says the same each time'({ mails }) {
    const first = new Map<string, Posted>();
    for (const posted of mails) {
      const before = first.get(posted.id) ?? posted;
      first.set(posted.id, before);
      if (!isDeepStrictEqual(before.mail, posted.mail)) yield posted.id;
    }
  },

  *'a mail that is known to be sent is sent no more'({ mails, struck }) {
    // Who takes a mail has it for so long by the clock of the database server.
    if (struck.has("database server's clock jumps")) return;
    for (const { id, isRecorded } of mails) if (isRecorded) yield id;
  },

  *'a mail has no secret but its code'(known) {
    const secrets = secretsOf(known);
    for (const posted of known.mails) {
      const text = JSON.stringify(posted.mail);
      const codes = known.mails.filter(({ id }) => id !== posted.id).map(codeOf);
      if (secrets.concat(codes).some((secret) => text.includes(secret))) yield text;
    }
  },

  *'a code stands in its mail, and nowhere else'({ mails, rows, lines, received, asked }) {
    yield* rows.withCodes;
    const codes = new Set(mails.map(codeOf));
    const told = [
      ...lines.map((line) => JSON.stringify(line)),
      ...received.map(({ body }) => body),
      ...asked.flatMap(({ path, answers }) =>
        path.startsWith(mailsOfSandbox) ? [] : answers.map(({ body }) => JSON.stringify(body) ?? ''),
      ),
    ];
    for (const code of codes) for (const text of told) if (text.includes(code)) yield text.slice(0, 400);
  },

  *'a one-time code opens one session'({ finished }) {
    const used = new Set<string>();
    for (const { type, data, position } of finished) {
      if (type !== 'SessionIssued' || data.proof.type !== 'EMAIL_OTP') continue;
      if (used.has(data.proof.codeId)) yield `${data.proof.codeId} at ${position}`;
      used.add(data.proof.codeId);
    }
  },
};
