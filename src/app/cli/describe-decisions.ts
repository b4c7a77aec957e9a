/** The list of decisions as a page of the documentation, made from their headings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws where a heading does not have the number of its file. */
export function describeDecisions(directory: string): string {
  const names = readdirSync(directory).filter((name) => /^\d{4}-.+\.md$/.test(name));
  const lines = names.toSorted().map((name) => {
    const [heading = ''] = readFileSync(join(directory, name), 'utf8').split('\n');
    const [, number, title] = /^# (\d+)\. (.+)$/.exec(heading) ?? [];
    if (Number(number) !== Number(name.slice(0, 4))) throw new Error(`${name} is headed ${heading}`);
    return `${Number(number)}. [${title}](${name})`;
  });
  return [
    '# Decisions',
    '',
    'What was chosen, why, and at which price. Made from their headings by `npm run docs:generate`. Numbers are for good.',
    '',
    ...lines.map((line) => `- ${line.replace('. [', '\\. [')}`),
    '',
  ].join('\n');
}
