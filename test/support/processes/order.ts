import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that compute all the time, longest first. */
export const busy = [
  'simulation/whole/bugs',
  'simulation/whole/other-lives',
  'simulation/whole/more-lives',
  'process/crash-sweep-others',
  'simulation/whole/whole',
  'process/crash-sweep-ends',
  'process/crash-sweep',
  'simulation/more-seeds',
];

/** The share of the other files that has begun when the last of the busy ones begins. */
const lastBegun = 0.75;

/**
 * Files that compute begin one after the other between those that wait, so that they have a processor meanwhile. They are
 * short, and would all come last: larger files begin first.
 */
export class BusyBetweenWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const computing = busy.flatMap((name) =>
      sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}.int.test.ts`)),
    );
    const isBeside = ({ project }: TestSpecification) => project.name === computing[0]?.project.name;
    const waiting = sorted.filter((file) => isBeside(file) && !computing.includes(file));
    const step = (waiting.length * lastBegun) / computing.length;
    const places = new Map([
      ...waiting.map((file, index): [TestSpecification, number] => [file, index]),
      ...computing.map((file, index): [TestSpecification, number] => [file, index * step - 0.5]),
    ]);
    const mixed = [...places.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    return sorted.map((file) => (isBeside(file) ? (mixed.shift() ?? file) : file));
  }
}
