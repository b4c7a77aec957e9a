/** The server took a call and then said nothing for the whole deadline, or ended it without saying anything. */
export class ServerSilent extends Error {
  override name = 'ServerSilent';
}
