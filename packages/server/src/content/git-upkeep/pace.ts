const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A changed repository is looked at after this time, or at once after many changes. */
export const SOON_MS = 5 * MINUTE_MS;
export const MANY_CHANGES = 10;

/** A repository is packed if it has this many loose objects, or this many packs more than after the last time. */
export const MIN_LOOSE_TO_PACK = 500;
export const MIN_NEW_PACKS = 10;

/** Unreachable objects are looked for this often in a repository that changes or has some. */
export const PRUNE_EVERY_MS = 7 * DAY_MS;
/** Unreachable objects are deleted after this time, counted from the look that found them. */
export const PRUNE_AGE_MS = 14 * DAY_MS;
/**
 * No unreachable object is deleted within this time after packing: packing may have deleted a file that a commit in
 * progress wrote, since the same object was among those that are set apart.
 */
export const PRUNE_REST_MS = HOUR_MS;

/** Unfinished files are deleted at this age, counted from the last write. */
export const LEFTOVER_AGE_MS = HOUR_MS;

/** The rest after a failure. */
export const FAILURE_REST_MS = PRUNE_REST_MS;
