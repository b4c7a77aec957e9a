/** Where servers of the simulation are, in a range that nobody has. */
export const screeningAddress = '192.0.2.10';
export const mailAddress = '192.0.2.25';
/** With which a process and its screening sign what they say to each other. */
export const screeningSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
/** Nobody has told a process of it but an answer. */
export const otherAddress = '192.0.2.99';
