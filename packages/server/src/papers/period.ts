const DAY_MS = 24 * 60 * 60 * 1000;

/** Epoch milliseconds: from the first until before the second. */
export type Period = readonly [from: number, until: number];

/** What a query says of time, in the forms of ISO 8601: a day, a week, a month; absent parts do not limit. UTC. */
export interface GivenPeriod {
  readonly date?: string | undefined;
  readonly week?: string | undefined;
  readonly month?: string | undefined;
}

/** The time that all given parts have in common; its end is before its beginning where there is none. */
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

/** The first week of a year is the one with its fourth of January. */
function mondayOf(week: string): number {
  const [year = '', number = ''] = week.split('-W');
  const fourth = new Date(`${year}-01-04`);
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  return monday + (Number(number) - 1) * 7 * DAY_MS;
}

function monthFrom(month: string): Period {
  const [year = '', number = ''] = month.split('-');
  return [Date.parse(`${month}-01`), Date.UTC(Number(year), Number(number))];
}
