/**
 * How long a browser takes to the first paint of the console, and what it loads, with nothing in its cache.
 *
 *     npm run bench:console
 */
import { loadavg } from 'node:os';
import { startDaybook } from '../packages/testing/src/daybook.ts';
import { launch, signIn } from '../test/console/support/chromium.ts';

const runs = 20;
const say = (text: string) => process.stdout.write(`${text}\n`);

const daybook = await startDaybook({});
const platform = await daybook.newPlatform();
const { origin } = new URL(daybook.baseUrl);
const browser = await launch();

type Seen = { readonly paintMs: number; readonly bytes: number };

/** Opens the page in a tab that has loaded nothing yet. */
async function seenAt(path: string, isSignedIn: boolean): Promise<Seen> {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (isSignedIn) {
    await signIn(page, origin, platform);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
  }
  await page.goto(`${origin}/console${path}`, { waitUntil: 'networkidle' }).catch(() => undefined);
  const seen = (await page.evaluate(`({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    bytes: performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  })`)) as Seen;
  await context.close();
  return seen;
}

const pages = [
  ['the sign-in', '', false],
  ['the books', '/books', true],
] as const;
for (const [name, path, isSignedIn] of pages) {
  const seen: Seen[] = [];
  for (let run = 0; run < runs; run += 1) seen.push(await seenAt(path, isSignedIn));
  const times = seen.map(({ paintMs }) => paintMs).toSorted((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (runs - 1))] ?? 0).toFixed(0);
  const kilobytes = ((seen.at(-1)?.bytes ?? 0) / 1_000).toFixed(0);
  say(
    `${name}: first paint after ${at(0.5)} ms in the middle of ${runs}, ${at(1)} ms at most; ${kilobytes} kB of script`,
  );
}
say(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
await browser.close();
await daybook.stop();
