/** Loads what an operator connects as a module. Every error names the variable that has to change. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../kernel/json.ts';

export type Named = {
  /** The environment variable. */
  readonly variable: string;
  readonly path: string;
};

/** What the module at the path makes of its context, once it has every one of these methods. */
export async function connectModule<Context, Connected extends object>(
  { variable, path }: Named,
  context: Context,
  methods: readonly (keyof Connected & string)[],
): Promise<Connected> {
  const create = await defaultOf({ variable, path });
  const made: unknown = await Promise.resolve()
    .then(() => create(context))
    .catch((cause: unknown) => {
      throw new Error(`${variable}: ${path} could not be started: ${messageOf(cause)}`, { cause });
    });
  const missing = methods.filter((name) => !isObject(made) || typeof made[name] !== 'function');
  if (missing.length > 0)
    throw new Error(`${variable}: what ${path} makes has no method ${missing.join(', ')}`);
  return made as Connected;
}

async function defaultOf({ variable, path }: Named): Promise<(context: unknown) => unknown> {
  const url = pathToFileURL(resolve(path)).href;
  const loaded: { readonly default?: unknown } = await import(url).catch((cause: unknown) => {
    throw new Error(`${variable}: ${path} could not be loaded: ${messageOf(cause)}`, { cause });
  });
  if (typeof loaded.default !== 'function')
    throw new Error(`${variable}: ${path} must export a function as its default`);
  return loaded.default as (context: unknown) => unknown;
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
