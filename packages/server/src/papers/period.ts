const DAY_MS = 24 * 60 * 60 * 1000;

/** A half-open interval in epoch milliseconds. */
export type Period = readonly [from: number, until: number];

/** The time filters of a query in ISO 8601 (UTC): day, week, month; absent ones do not limit. */
export interface GivenPeriod {
  readonly date?: string | undefined;
  readonly week?: string | undefined;
  readonly month?: string | undefined;
}

/** Returns the intersection of all given filters; if it is empty, its end lies before its start. */
export function periodOf({ date, week, month }: GivenPeriod): Period {
  const parts: Period[] = [
    [0, Number.MAX_SAFE_INTEGER],
    ...(date === undefined ? [] : [daysFrom(Date.parse(date), 1)]),
    ...(week === undefined ? [] : [daysFrom(mondayOf(week), 7)]),
    ...(month === undefined ? [] : [monthFrom(month)]),
  ];
  return [Math.max(...parts.map(([from]) => from)), Math.min(...parts.map(([, until]) => until))];
}

const daysFrom = (from: number, days: number): Period => [from, from + days * DAY_MS];

/** In ISO 8601, the first week of a year contains January 4. */
function mondayOf(week: string): number {
  const [year = '', number = ''] = week.split('-W');
  const januaryFourth = new Date(`${year}-01-04`);
  const monday = januaryFourth.getTime() - ((januaryFourth.getUTCDay() + 6) % 7) * DAY_MS;
  return monday + (Number(number) - 1) * 7 * DAY_MS;
}

function monthFrom(month: string): Period {
  const [year = '', number = ''] = month.split('-');
  return [Date.parse(`${month}-01`), Date.UTC(Number(year), Number(number))];
}
