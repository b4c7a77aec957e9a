export const asAgent = { tag: 'As an agent', authentication: 'bearer', permission: [] } as const;

export const forbidden = { 403: ['FORBIDDEN'] };
