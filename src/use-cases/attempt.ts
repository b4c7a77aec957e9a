import type { Cause } from '../infrastructure/commands/dispatch.ts';

/** One attempt at what was asked for. `uuidFor` gives a repeat the same uuids, so that it creates nothing twice. */
export type Attempt = {
  readonly cause: Cause;
  readonly uuidFor: (what: string) => string;
  readonly isKeyed: boolean;
};
