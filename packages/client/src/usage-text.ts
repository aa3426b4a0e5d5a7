const GIBIBYTE = 1024 ** 3;
const WARNED = 0.9;

/** How much of its quota an account uses; null: no limit. */
export interface Usage {
  readonly usedBytes: number;
  readonly storageGib: number | null;
}

/** Formats how much is used, in three digits and all before the point: `12.3 of 50 GiB`, `12.3 GiB, no limit`. */
export function usageText({ usedBytes, storageGib }: Usage): string {
  const used = inGibibytes(usedBytes / GIBIBYTE);
  return storageGib === null ? `${used} GiB, no limit` : `${used} of ${storageGib} GiB`;
}

const inGibibytes = (gibibytes: number): string => {
  if (gibibytes >= 100) return String(Math.round(gibibytes));
  return gibibytes > 0 && gibibytes < 0.0001 ? 'less than 0.0001' : String(Number(gibibytes.toPrecision(3)));
};

/** How much of a quota of things that are counted a user has; null: no limit. */
export interface CountUsage {
  readonly used: number;
  readonly limit: number | null;
}

/** Formats how many there are: `3 of 100`, `3, no limit`. */
export const countText = ({ used, limit }: CountUsage): string =>
  limit === null
    ? `${used.toLocaleString('en')}, no limit`
    : `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;

/** Returns the part of the quota that is used, from 0 to 1; undefined without a limit. */
export function usedShare(usage: Usage | CountUsage): number | undefined {
  const [used, limit] =
    'used' in usage
      ? [usage.used, usage.limit]
      : [usage.usedBytes, usage.storageGib === null ? null : usage.storageGib * GIBIBYTE];
  if (limit === null) return undefined;
  return limit === 0 ? 1 : Math.min(1, used / limit);
}

/** Returns whether a quota is used up or almost so, from 90 % on. */
export function fullness(usage: Usage | CountUsage): 'full' | 'almost full' | undefined {
  const share = usedShare(usage);
  if (share === undefined || share < WARNED) return undefined;
  return share === 1 ? 'full' : 'almost full';
}
