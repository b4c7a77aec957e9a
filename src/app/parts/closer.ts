/** Ends something that was started. What was started later is ended before. */
export type Closer = () => Promise<void>;
