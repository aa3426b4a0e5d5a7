export const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days that count for `trendingScore`, each less than the one after it. */
export const TRENDING_DAYS = 7;
const DECAY = 0.8;
/** What one like adds to the score on its day. */
const LIKE_WEIGHT = 3;

/** Returns the share of a score on a day (B§12.5), in thousandths. `age` is the number of days since then. */
export const scoreOfDay = (
  age: number,
  { downloads = 0, likes = 0 }: { downloads?: number; likes?: number },
): number =>
  age < TRENDING_DAYS ? DECAY ** Math.max(0, age) * (Math.log(1 + downloads) + LIKE_WEIGHT * likes) * 1000 : 0;
