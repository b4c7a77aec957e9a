/** What a domain says of itself, as a port. */
export type DomainRecords = {
  /** The TXT records at a name, each as one text; none where there is no answer. */
  readonly textsAt: (name: string) => Promise<readonly string[]>;
};
