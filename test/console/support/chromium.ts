/** Debian's Chromium, and tabs in it that are signed in. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { patienceMs } from '../../support/time/patience.ts';

const executablePath = '/usr/bin/chromium';

export const isChromiumHere = existsSync(executablePath);
if (!isChromiumHere)
  process.stderr.write(`The browser tests did not run: ${executablePath} is missing (package chromium).\n`);

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export type Credentials = { readonly clientId: string; readonly clientSecret: string };

export type Tab = {
  readonly page: Page;
  /** Hosts that were asked for anything. */
  readonly hosts: ReadonlySet<string>;
  /** What the page threw, and what its policy refused. */
  readonly problems: readonly string[];
};

/** A tab that nobody is signed in at. */
export async function open(context: BrowserContext): Promise<Tab> {
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const hosts = new Set<string>();
  const problems: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) problems.push(line.text());
  });
  return { page, hosts, problems };
}

export async function signIn(
  page: Page,
  origin: string,
  { clientId, clientSecret }: Credentials,
): Promise<void> {
  await page.goto(`${origin}/console`);
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
}
