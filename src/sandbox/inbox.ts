/** A webhook endpoint that every platform of the sandbox may name: it takes everything, and nothing leaves the process. */
import { sandboxUmaDomain } from './outcomes.ts';

export const inboxUrl = `https://inbox.${sandboxUmaDomain}`;

const { host } = new URL(inboxUrl);

/** Whatever its path. */
export const isInbox = (url: string): boolean => URL.canParse(url) && new URL(url).host === host;
