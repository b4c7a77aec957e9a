/** Pages whose examples are run as they stand, one after the other, on a service of their own. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nodePath, spawnDaybook, stopsCleanly, temporaryDirectory } from '../support/processes/process.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = [
  ['docs/start.md'],
  ['docs/how-to/move-money.md'],
  // The second goes on from the first, and leaves everything as it was: the first can be walked again.
  [
    'docs/how-to/steer-the-sandbox.md',
    'docs/how-to/rehearse-time-and-failures.md',
    'docs/how-to/steer-the-sandbox.md',
  ],
  ['docs/how-to/invite-somebody.md'],
  ['docs/how-to/verify-a-business.md'],
  ['docs/how-to/manage-tokens.md'],
  ['docs/how-to/verify-webhooks.md'],
  ['docs/how-to/use-wallets.md'],
  ['docs/how-to/agents.md'],
  ['docs/how-to/audit-the-log.md'],
  ['docs/how-to/connect-a-rail.md'],
];
/** Of these some commands fail as they should: connections are cut. */
const cutting = ['docs/how-to/rehearse-time-and-failures.md'];

/** A block of commands, and what the page shows of their answers. */
type Step = { readonly commands: string; readonly shown: string | undefined };

const blocksOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );

const stepsOf = (page: string): readonly Step[] =>
  blocksOf(page).flatMap(({ language, text }, n, blocks) => {
    // The test starts the service itself, and another log is there only where its server is.
    if (language !== 'sh' || /npm ci|npm start|trial-balance\.mts/.test(text)) return [];
    const next = blocks[n + 1];
    const commands = cutting.includes(page) ? `set +eo pipefail\n${text}set -eo pipefail\n` : text;
    return [{ commands, shown: next?.language === '' ? next.text : undefined }];
  });

/** Of the command with which the page starts the service. */
const variablesOf = (page: string): Readonly<Record<string, string>> => {
  const start = blocksOf(page).find(({ text }) => text.includes('npm start'))?.text ?? '';
  return Object.fromEntries(
    [...start.matchAll(/(DAYBOOK_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
};

/**
 * What a command line has that runs in the project's folder, with nobody to answer questions; a wait takes as long as
 * payments under way take.
 */
const around = (url: string, folder: string) => `
exec </dev/null
export PATH="${join(nodePath, '..')}:$PATH"
npx() { [ "$1" = daybook ] && shift; "${root}/bin/daybook" "$@"; }
sleep() {
  command sleep "$1"
  for turn in {1..30}; do
    curl -s -u "$(cat ${folder}/credentials)" "${url}/transactions?status=PROCESSING&limit=1" | grep -q '"totalCount":0' && return
    command sleep 1
  done
}`;
const marker = '@@step@@';

const answersIn = (text: string): readonly string[] =>
  text
    .replace(/\n +/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('{'));

/** The words of an answer that are the same in every run. */
const wordsOf = (answer: string): readonly string[] =>
  [
    ...answer.matchAll(
      /"(\w*[sS]tatus|code|type|reason|failureReason|isPaused|redeemed)":("[A-Z_]+"|true|false|\d+)/g,
    ),
  ].map(([word]) => word);

describe.each(pages)('the examples of %s', (...walked) => {
  it('can be run as they stand, and show what the page shows', async () => {
    const cwd = await temporaryDirectory();
    for (const name of ['docs', 'node_modules']) symlinkSync(join(root, name), join(cwd, name));
    const variables = variablesOf(walked[0] ?? '');
    const start = () => spawnDaybook({ cwd, variables });
    const daybook = start();
    const url = await daybook.ready;
    const steps = walked.flatMap(stepsOf);
    expect(steps.length).toBeGreaterThan(0);
    const script = [
      around(url, variables.DAYBOOK_DATA_DIR ?? '.daybook'),
      ...steps.map(({ commands }) => `echo ${marker}\n${commands}`),
    ]
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', new URL(url).origin);
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
      cwd,
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn' },
      maxBuffer: 2 ** 24,
    });
    const stopped = stopsCleanly(daybook, start);
    const printed = stdout.split(`${marker}\n`).slice(1);
    for (const [n, { commands, shown }] of steps.entries()) {
      const answers = answersIn(printed[n] ?? '');
      const refusals = answers.filter((answer) => /^\{"status":[45]/.test(answer));
      if (shown === undefined) expect(refusals, commands).toEqual([]);
      // A page may leave an answer out, and shows the others in their order.
      let next = 0;
      for (const words of answersIn(shown ?? '').map(wordsOf)) {
        const found = answers.findIndex(
          (answer, m) => m >= next && words.every((word) => answer.includes(word)),
        );
        expect(found, `${words} in:\n${answers.join('\n')}`).not.toBe(-1);
        next = found + 1;
      }
    }
    await stopped;
  });
});
