import { Cron } from 'croner';

/** Longer ones say nothing that shorter ones cannot. */
const MAX_LENGTH = 200;

/** Why a schedule cannot be followed, or undefined. It must come due at some time. */
export function scheduleFault(schedule: string, now: number): string | undefined {
  if (schedule.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!/^@(annually|yearly|monthly|weekly|daily|hourly)$|^[\d*/,-]+( [\d*/,-]+){4,6}$/.test(schedule))
    return 'must be @hourly or its like, or 5 to 7 fields of cron';
  try {
    return nextRun(schedule, now) === undefined ? 'never comes due' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'is no schedule';
  }
}

/** When a schedule comes due next after a time, in UTC; undefined for never. */
export const nextRun = (schedule: string, after: number): number | undefined =>
  new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(new Date(after))?.getTime();
