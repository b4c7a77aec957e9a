/** What an API token may do. VIEW is contained in the other two. */
export const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const;

export type Permission = (typeof permissions)[number];
