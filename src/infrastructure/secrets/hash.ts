import { hash } from 'node:crypto';

/** SHA-256, for secrets that are random enough to need nothing slower. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
