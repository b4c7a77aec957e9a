/**
 * Seals the personal texts of an event together, with AES-256-GCM under the keys of those whom they are about: once one of
 * these keys is destroyed, nobody can read them.
 */
import { createHash, createHmac } from 'node:crypto';
import type { EventMetadata } from '../../kernel/aggregate.ts';
import type { EventSchemas } from '../../kernel/codecs.ts';
import { invariant } from '../../kernel/invariant.ts';
import { storableJson } from '../../kernel/json.ts';
import {
  erased,
  hasTexts,
  mentionedIn,
  personalPathsOf,
  placesIn,
  putBack,
  type Taken,
  takeOut,
} from '../../kernel/personal.ts';
import type { JsonObject, Known, StoredEvent } from '../event-store/event-store.ts';
import { decrypted, encrypted, nonceBytes } from '../secrets/aes-gcm.ts';
import type { Keys, PersonKeys } from './keys.ts';

type Stored = {
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  readonly known?: Known;
};

export type Vault = {
  /**
   * The event as it is stored; of somebody who is erased, its writer knows no more of it than is stored. Nothing is to be
   * waited for where it has nothing personal, or is about nobody.
   */
  readonly hide: <Event extends Stored>(
    event: Event,
    persons: () => readonly string[],
  ) => Event | Promise<Event>;
  /** The events as they can be read; what was erased is not there, or says so. */
  readonly show: (events: readonly StoredEvent[]) => Promise<readonly StoredEvent[]>;
  /** Whether nothing about the person can be sealed any more. */
  readonly isErased: (person: string) => Promise<boolean>;
};

/** It is for this platform, these persons, and these fields. */
const contextOf = (
  { type, metadata }: Pick<Stored, 'type' | 'metadata'>,
  persons: readonly string[],
  places: readonly string[],
) => Buffer.from(JSON.stringify([metadata.platformId, persons, type, places]));

const keyOf = (keys: readonly Buffer[]): Buffer =>
  keys.length === 1 && keys[0] ? keys[0] : createHash('sha256').update(Buffer.concat(keys)).digest();

const noOne: readonly string[] = [];
const nobody: ReadonlySet<string> = new Set();

/** The keys of all of them; `undefined` where one is not there. */
function allOf(keys: Keys, persons: readonly string[]): readonly Buffer[] | undefined {
  const found = persons.flatMap((id) => keys.get(id) ?? []);
  return found.length === persons.length ? found : undefined;
}

/** The nonce follows from what is sealed: the same again gives the same, and nothing else does. */
const nonceOf = (key: Buffer, text: string, context: Buffer): Buffer =>
  createHmac('sha256', key).update(context).update(text).digest().subarray(0, nonceBytes);

function seal(key: Buffer, text: string, context: Buffer): string {
  return encrypted(key, nonceOf(key, text, context), text, context).toString('base64');
}

/**
 * Nothing where it is of another key: one that was lost, and made anew. Whoever changed a box has changed the event, which
 * its hash tells.
 */
function openedBox(key: Buffer, box: string, context: Buffer): string | undefined {
  try {
    return decrypted(key, Buffer.from(box, 'base64'), context);
  } catch {
    return undefined;
  }
}

type Options = {
  /** Told of an event whose person has another key by now than it was sealed under. */
  readonly lostKey?: (event: StoredEvent) => void;
  /** About whom the event is, too, beside those for whom it is sealed. */
  readonly alsoAbout?: (event: StoredEvent) => readonly string[];
};

export function createVault(
  schemas: EventSchemas,
  keys: PersonKeys,
  { lostKey = () => undefined, alsoAbout = () => noOne }: Options = {},
): Vault {
  const paths = new Map(Object.entries(schemas).map(([type, schema]) => [type, personalPathsOf(schema)]));
  const pathsOf = (type: string) => paths.get(type) ?? [];

  /** It may be of a former version, which has sealed nothing: what this process has written is not. */
  const isPlain = ({ type, data, metadata, known }: StoredEvent) =>
    metadata.personal === undefined && known === undefined && hasTexts(data, pathsOf(type));
  /** Where the key of one of these is gone, nothing is shown of it. */
  const namedIn = (event: StoredEvent): readonly string[] => {
    if (event.metadata.personal) return alsoAbout(event);
    return isPlain(event) ? mentionedIn(event.data) : noOne;
  };
  const bare = (event: StoredEvent): StoredEvent => {
    const own = pathsOf(event.type);
    return { ...event, data: erased(takeOut(event.data, own).data, own) };
  };

  const open = (event: StoredEvent, keys: Keys): StoredEvent => {
    const { personal } = event.metadata;
    if (!personal) return event;
    const found = allOf(keys, personal.of);
    // A former version has sealed less.
    if (!found || personal.box === undefined) return bare(event);
    const own = pathsOf(event.type);
    const context = contextOf(event, personal.of, placesIn(event.data, own));
    const said = openedBox(keyOf(found), personal.box, context);
    if (said === undefined) {
      lostKey(event);
      return bare(event);
    }
    // Former versions have sealed what no read model can take.
    const texts: readonly string[] = JSON.parse(storableJson(said));
    return { ...event, data: putBack(event.data, own, texts) };
  };

  /** Rows, webhooks and answers are made of what its writer knows: they would say what nobody can read in the log. */
  const lost = <Event extends Stored>(event: Event): Event => {
    const { type, data, known } = event;
    if (!known) return event;
    return { ...event, known: { ...known, data: schemas[type]?.decode(erased(data, pathsOf(type))) } };
  };

  const hidden = async <Event extends Stored>(
    event: Event,
    persons: readonly string[],
    { data, texts, places }: Taken & { readonly data: JsonObject },
  ): Promise<Event> => {
    const made = allOf(await keys.made(event.metadata.platformId, persons), persons);
    const said = JSON.stringify(texts);
    // Sealed, the log would take it, and no read model what is opened.
    invariant(storableJson(said) === said, `a text of ${event.type} cannot be stored`);
    if (!made) return lost({ ...event, data, metadata: { ...event.metadata, personal: { of: persons } } });
    const box = seal(keyOf(made), said, contextOf(event, persons, places));
    return { ...event, data, metadata: { ...event.metadata, personal: { of: persons, box } } };
  };

  return {
    hide(event, personsOf) {
      const own = pathsOf(event.type);
      if (own.length === 0) return event;
      const taken = takeOut(event.data, own);
      if (taken.texts.length === 0) return event;
      const persons = personsOf();
      return persons.length === 0 ? event : hidden(event, persons, taken);
    },
    async show(events) {
      const named = events.map(namedIn);
      const asked = named.flat();
      const gone = asked.length > 0 ? await keys.destroyed(asked) : nobody;
      if (gone.size === 0 && !events.some(({ metadata }) => metadata.personal)) return events;
      const persons = events.flatMap(({ metadata: { personal } }) => (personal?.box ? personal.of : []));
      const found = await keys.found(persons);
      return events.map((event, n) =>
        named[n]?.some((id) => gone.has(id)) ? bare(event) : open(event, found),
      );
    },
    isErased: async (person) => (await keys.destroyed([person])).has(person),
  };
}
