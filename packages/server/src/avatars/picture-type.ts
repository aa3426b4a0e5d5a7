import { keysOf } from '../platform/typed-objects.ts';

const SIGNATURES = {
  png: /^89504e470d0a1a0a/,
  jpeg: /^ffd8ff/,
  gif: /^47494638(37|39)61/,
  webp: /^52494646.{8}57454250/,
} as const;

export type PictureType = keyof typeof SIGNATURES;

/** Returns the type of a picture by its first bytes, among the types that an avatar may have. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return keysOf(SIGNATURES).find((type) => SIGNATURES[type].test(head));
}

/**
 * Returns an upper bound of the number of scans in a JPEG: outside of metadata, the marker has no other meaning (ITU-T
 * T.81, B.1.1.2).
 */
export function countScans(jpeg: Uint8Array): number {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let scans = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 2)) scans += 1;
  return scans;
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
