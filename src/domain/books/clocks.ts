/** The two clocks of the books: when something happened, and when the log got it. */

/** `happened` is the moment that the event names; `recorded` the moment at which it was written to the log. */
export const clocks = ['recorded', 'happened'] as const;
export type Clock = (typeof clocks)[number];

export type Moments = Readonly<Record<Clock, Date>>;

type Dated = { readonly data: unknown; readonly metadata: { readonly at: string } };

/** Nothing happens after it was recorded: where clocks of two machines say so, it happened then. */
export function momentsOf({ data, metadata }: Dated): Moments {
  const recorded = new Date(metadata.at);
  const named = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
  const happened = named instanceof Date && named < recorded ? named : recorded;
  return { recorded, happened };
}
