import { conflict } from '../http/errors.ts';

/** Stands for no limit where a quota of one's own takes the place of that of the settings. */
export const NO_LIMIT = -1;

/** A quota as it is stored and as the settings have it. Null: the settings decide; undefined: no limit. */
interface Quota {
  readonly own: number | null;
  readonly byDefault: number | undefined;
}

/** Returns the quota that holds; undefined means no limit. */
export function effectiveQuota({ own, byDefault }: Quota): number | undefined {
  if (own === null) return byDefault;
  return own === NO_LIMIT ? undefined : own;
}

/**
 * Returns the quota if it leaves no room for another thing. `count` counts things up to a maximum, under a lock that
 * everybody takes who adds one, so that requests at once cannot exceed the quota together.
 */
export async function usedUpQuota(given: Quota, count: (max: number) => Promise<number>): Promise<number | undefined> {
  const quota = effectiveQuota(given);
  return quota !== undefined && (await count(quota)) >= quota ? quota : undefined;
}

/** Formats a quota: `1 thing`, `2,000 things`, `no things`. */
export const quotaText = (quota: number, one: string): string =>
  `${quota === 0 ? 'no' : quota.toLocaleString('en')} ${quota === 1 ? one : `${one}s`}`;

export const ASK_FOR_MORE = 'ask a site administrator for a larger quota';

/** Throws 409 if a quota of things that can be deleted leaves no room for another one; `count` is that of `usedUpQuota`. */
export async function requireRoomFor(
  one: string,
  given: Quota,
  count: (max: number) => Promise<number>,
): Promise<void> {
  const usedUp = await usedUpQuota(given, count);
  if (usedUp === undefined) return;
  throw conflict(`You may have ${quotaText(usedUp, one)}; delete one that you do not need, or ${ASK_FOR_MORE}`);
}
