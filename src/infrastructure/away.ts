type Details = ErrorOptions & {
  /** The variable that says where it is, where it is not `DATABASE_URL`. */
  readonly store?: string;
};

/** A store that the service needs does not answer, or not in time. What became of a write is then not known. */
export class StoreAway extends Error {
  override name = 'StoreAway';
  readonly store: string | undefined;

  constructor(message: string, { store, ...options }: Details = {}) {
    super(message, options);
    this.store = store;
  }
}

/** A request has taken as long as one may. What became of it is not known. */
export class RequestLate extends StoreAway {
  override name = 'RequestLate';

  constructor(late: string, options?: ErrorOptions) {
    super(late, options);
  }
}
