/** What a mail says, from what came of it by SMTP. */
import type { Mail } from '../../../src/use-cases/wallets/codes/mail.ts';

type Part = { readonly header: (name: string) => string | undefined; readonly body: string };

export type SourceOfMail = Omit<Mail, 'to'> & { readonly id: string };

export function mailIn(source: string): SourceOfMail {
  const { header, body } = partOf(source);
  const boundary = /boundary="(.*?)"/.exec(header('Content-Type') ?? '')?.[1];
  const parts = boundary === undefined ? [{ header, body }] : body.split(`--${boundary}`).map(partOf);
  const textOf = (type: string): string | undefined => {
    const part = parts.find((one) => one.header('Content-Type')?.startsWith(type));
    return part && decoded(part);
  };
  const [, name = '', address = ''] = /^"?(.*?)"? ?<(.*)>$/.exec(header('From') ?? '') ?? [];
  const replyTo = header('Reply-To');
  const html = textOf('text/html');
  return {
    id: /^<(.*)@/.exec(header('Message-ID') ?? '')?.[1] ?? '',
    from: { name, address },
    subject: header('Subject') ?? '',
    text: textOf('text/plain') ?? '',
    ...(replyTo !== undefined && { replyTo }),
    ...(html !== undefined && { html }),
  };
}

function partOf(source: string): Part {
  const [head = '', ...rest] = source.replace(/^\r\n/, '').split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  return {
    header: (name) => new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(unfolded)?.[1],
    body: rest.join('\r\n\r\n'),
  };
}

function decoded({ header, body }: Part): string {
  switch (header('Content-Transfer-Encoding')) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable':
      return Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString();
    default:
      return body;
  }
}
