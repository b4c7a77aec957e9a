/** The order in which files are tested. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By far the longest, and short to read: by their size they would come last, when nothing is left to be tested beside them. */
export const longest: readonly string[] = [
  'simulation/whole/bugs.int.test.ts',
  'simulation/whole/more-lives.int.test.ts',
  'simulation/whole/other-lives.int.test.ts',
  'process/embedded.int.test.ts',
  'process/start-errors.int.test.ts',
  'process/pages.int.test.ts',
  'process/leases.int.test.ts',
  'process/stop.int.test.ts',
  'process/crash-sweep-others.int.test.ts',
  'simulation/whole/whole.int.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((path) => moduleId.endsWith(`/test/${path}`));
  return place < 0 ? longest.length : place;
};

/** What is known to take longest begins first; the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
