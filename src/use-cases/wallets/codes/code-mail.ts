/** The mail that carries a one-time code, as the platform's embeddedWalletConfig wants it. */
import type { EmbeddedWalletConfig } from '../../../domain/platforms/events.ts';
import { escapedForHtml } from '../../../infrastructure/text/html.ts';
import type { Mail } from './mail.ts';

type Sender = { readonly embeddedWalletConfig: EmbeddedWalletConfig; readonly umaDomain: string };

export function codeMail({ embeddedWalletConfig, umaDomain }: Sender, to: string, code: string): Mail {
  const { appName, sendFromEmailAddress, sendFromEmailSenderName } = embeddedWalletConfig;
  const { replyToEmailAddress, logoUrl, expirationSeconds } = embeddedWalletConfig;
  const product = appName ?? 'your wallet';
  const lines = [
    `Your code for ${product} is ${code}.`,
    `It is good once, for ${lifetimeText(expirationSeconds)}. If you did not ask for it, ignore this mail.`,
  ];
  const logo = logoUrl ? [`<p><img src="${escapedForHtml(logoUrl)}" alt="" height="40"></p>`] : [];
  return {
    from: { name: sendFromEmailSenderName, address: sendFromEmailAddress ?? `no-reply@${umaDomain}` },
    to,
    ...(replyToEmailAddress !== undefined && { replyTo: replyToEmailAddress }),
    subject: appName ? `Your code for ${appName}` : 'Your code',
    text: `${lines.join('\n')}\n`,
    html: [...logo, ...lines.map((line) => `<p>${escapedForHtml(line)}</p>`)].join('\n'),
  };
}

const lifetimeText = (seconds: number): string => {
  if (seconds % 60 !== 0) return `${seconds} seconds`;
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
};
