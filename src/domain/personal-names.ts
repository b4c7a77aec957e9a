/** Members whose texts are personal, by the names that events have for them. */
import { personalPathsOf } from '../kernel/personal.ts';
import { eventSchemas } from './aggregates.ts';

export const personalNames: ReadonlySet<string | undefined> = new Set(
  Object.values(eventSchemas)
    .flatMap(personalPathsOf)
    .map(({ path }) => path.findLast((name) => name !== '*')),
);
