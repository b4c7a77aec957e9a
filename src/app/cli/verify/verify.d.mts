/** What the checks take: an event as the log has it, or as a line of an export. */
export type VerifiedEvent = {
  readonly position: bigint | number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
};

export type Seen = {
  readonly events: number;
  readonly position: bigint | number;
  readonly streams: number;
  /** Those that hold money: what is zero is not kept. */
  readonly accounts: number;
  /** Events from before there were hashes. */
  readonly unsealed: number;
  /** When an event of the log says that they were sealed. */
  readonly sealedAt?: string;
  /** Of the tree over all events, in base64. */
  readonly root: string;
  readonly checkpoints: number;
  /** So many of the events are those of a checkpoint. */
  readonly signed: number;
  /** What has signed the checkpoints of an export. */
  readonly key?: string;
  readonly isRight: true;
};

export type Fits = (value: unknown) => boolean;
export type Schemas = ReadonlyMap<string, Fits>;
/** Roots in base64, by the number of events. */
export type Checkpoints = ReadonlyMap<number, string>;
export type VerifyOptions = {
  readonly schemas?: Schemas | undefined;
  readonly checkpoints?: Checkpoints | undefined;
};

/** Where a fault is: an event, or a part of one's place. */
export type FaultPlace = Partial<Pick<VerifiedEvent, 'position' | 'stream' | 'revision' | 'id'>>;

export class Fault extends Error {
  constructor(what: string, place?: FaultPlace);
  readonly what: string;
  readonly position?: bigint | number;
  readonly stream?: string;
  readonly revision?: number;
  readonly id?: string;
}

/** A file or a folder is not there, or is not what it has to be: the message names it. */
export class Unusable extends Error {
  readonly exitCode: number;
}

export class Tree {
  readonly size: number;
  /** Takes the hash of an event, in hexadecimal. */
  add(eventHash: string): void;
  /** In base64. */
  root(): string;
}

export class Verifier {
  constructor(options?: VerifyOptions);
  /** `line` is the event as it stands in an export: quicker, and no less is checked. */
  add(event: VerifiedEvent, line?: string): void;
  result(positions?: 'dense' | 'growing'): Seen;
}

export function canonical(value: unknown): string;
export function compile(schema: object): Fits;
/**
 * Of signed notes. Throws `Fault` for one that the key has not signed, and for two of as many events with different roots;
 * `Unusable` where the key is none.
 */
export function rootsOf(notes: readonly string[], key: string, known?: Checkpoints): Checkpoints;
/** Throws `Fault` for one that the key has not signed, and `Unusable` where the file has none. */
export function checkpointsIn(file: string, key: string): Checkpoints;
/**
 * `key` has to have signed the checkpoints of the export; without one it is the key that the export names. Throws `Fault`, and
 * `Unusable` where the file is no export.
 */
export function verifyFile(
  file: string,
  options?: VerifyOptions & { readonly key?: string | undefined },
): Promise<Seen>;
