import { Cron } from 'croner';

/** The maximum length, enough for every schedule that a person writes. */
const MAX_LENGTH = 200;
/** The displayed next run of a schedule that will never be due again. */
export const NEVER = Date.UTC(9999, 11, 31);

/** Returns what is wrong with a schedule, in its form or because it is never due; undefined if it is valid. */
export function scheduleFault(schedule: string, now: number): string | undefined {
  if (schedule.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!/^@(annually|yearly|monthly|weekly|daily|hourly)$|^[\d*/,-]+( [\d*/,-]+){4,6}$/.test(schedule))
    return 'must be @hourly or its like, or 5 to 7 fields of cron';
  try {
    return nextRun(schedule, now) === undefined ? 'never comes due' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'is not a schedule';
  }
}

/** Returns when a schedule is next due after a time, in UTC; undefined for never. */
export const nextRun = (schedule: string, after: number): number | undefined =>
  new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(new Date(after))?.getTime();
