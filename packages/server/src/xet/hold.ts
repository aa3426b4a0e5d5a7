const DAY_MS = 24 * 60 * 60 * 1000;

/** For how long a xorb stays after its last use: clients refer to what they sent for three weeks and a week of grace. */
export const HOLD_MS = 28 * DAY_MS;
