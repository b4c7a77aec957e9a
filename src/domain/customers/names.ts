/** What is answered when a name belongs to somebody else. */
export const addressTaken = (umaAddress: string) =>
  ({ code: 'UMA_ADDRESS_EXISTS', message: `The payment address ${umaAddress} is taken.` }) as const;

export const idTaken = (platformCustomerId: string) =>
  ({
    code: 'CONFLICT',
    message: `The platformCustomerId ${platformCustomerId} belongs to another active customer.`,
  }) as const;
