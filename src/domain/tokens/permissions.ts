/** Completion 1.3. */
export const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const;

export type Permission = (typeof permissions)[number];
