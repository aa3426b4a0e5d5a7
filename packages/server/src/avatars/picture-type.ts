const SIGNATURES = {
  png: /^89504e470d0a1a0a/,
  jpeg: /^ffd8ff/,
  gif: /^47494638(37|39)61/,
  webp: /^52494646.{8}57454250/,
} as const;

export type PictureType = keyof typeof SIGNATURES;

/** What a file is by its first bytes, of what may become an avatar. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return (Object.keys(SIGNATURES) as PictureType[]).find((type) => SIGNATURES[type].test(head));
}
