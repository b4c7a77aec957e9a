/** A store that the service needs does not answer, or not in time. What became of a write is then not known. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}
