type AnyEvent = { readonly type: string; readonly data: unknown };

/** The data of one of the event types in a union. */
export type DataOf<E extends AnyEvent, T extends E['type']> = Extract<E, { type: T }>['data'];
