/** The date in the address of the interface. */
export const interfaceVersion = '2025-10-13';
export const basePath = `/${interfaceVersion}`;
