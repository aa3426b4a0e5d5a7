import type { KeptPack } from './pack-store.ts';

/** A pack joins the smaller ones if it is at most this many times as large as they are together. */
const GROWTH = 2;
/** The most bytes and packs that become one pack. */
const MAX_BYTES = 1024 ** 3;
const MAX_PACKS = 1000;

/**
 * Chooses the packs that become one: small ones first, so that a large pack is written again only when as much has come
 * together. Returns none or at least two.
 */
export function choosePacks(packs: readonly KeptPack[]): KeptPack[] {
  const chosen: KeptPack[] = [];
  let sum = 0;
  for (const pack of packs.toSorted((a, b) => a.bytes - b.bytes)) {
    const isTooLarge = chosen.length > 1 && pack.bytes > GROWTH * sum;
    if (isTooLarge || sum + pack.bytes > MAX_BYTES || chosen.length === MAX_PACKS) break;
    chosen.push(pack);
    sum += pack.bytes;
  }
  return chosen.length > 1 ? chosen : [];
}
