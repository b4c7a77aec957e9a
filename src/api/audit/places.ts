/** Places in the log, in a stream or in the tree, as cursors of the pages of one list. */
import { z } from 'zod';
import { contentOf, cursorWith, digestOf } from '../../../projections/pagination.ts';

const content = z.tuple([z.string().regex(/^\d{1,18}$/), z.string()]);

type Places = {
  readonly cursorOf: (place: bigint | number) => string;
  /** Throws `Rejected` (400) for a cursor that no page of this list has returned. */
  readonly placeOf: (cursor: string | undefined) => bigint | undefined;
};

/** `list` says which one it is, with its filters. */
export function placesIn(list: object): Places {
  const digest = digestOf(list);
  return {
    cursorOf: (place) => cursorWith([String(place), digest]),
    placeOf(cursor) {
      if (cursor === undefined) return undefined;
      const [place] = contentOf(cursor, content, digest);
      return BigInt(place);
    },
  };
}
