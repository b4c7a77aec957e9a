const turnsMax = 4;

/**
 * What has so long, and no longer, can come too late on a machine that stands still for a while. A turn says whether its
 * time sufficed; one of a few has to.
 */
export async function turnInTime(turn: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < turnsMax; n++) if (await turn()) return;
  throw new Error(`each of ${turnsMax} turns took too long`);
}
