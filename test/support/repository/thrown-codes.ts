/** Which refusals are declared and never thrown. */
import type { Source } from './source-rules.ts';

const listOfCodes = 'src/kernel/rejected.ts';
const declared = /^ {2}'([A-Z][A-Z_]+)',$/gm;

/** Where a code stands without being thrown: its status, and the operations that may answer with it. */
const isDeclaration = ({ path }: Source) => path === 'src/api/refusals.ts' || path.endsWith('operations.ts');

export function codesThatNobodyThrows(sources: readonly Source[]): readonly string[] {
  const list = sources.find(({ path }) => path === listOfCodes)?.text ?? '';
  const throwing = [
    list.replaceAll(declared, ''),
    ...sources
      .filter((source) => source.path !== listOfCodes && !isDeclaration(source))
      .map(({ text }) => text),
  ].join('\n');
  return [...list.matchAll(declared)]
    .filter(([, code]) => !throwing.includes(`'${code}'`))
    .map(([, code]) => `${listOfCodes} lists ${code}, which nothing throws`);
}
