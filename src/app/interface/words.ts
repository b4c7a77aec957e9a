import { wordsOf } from '../../infrastructure/http/names/words.ts';
import { operations } from './operations.ts';

/** The words of the interface: those that its enumerations have. */
export const interfaceWords = (): ReadonlySet<string> =>
  wordsOf(
    operations.flatMap(({ query, body, multipart, responses }) => [
      query,
      body,
      multipart?.fields,
      ...Object.values(responses).map(({ schema }) => schema),
    ]),
  );
