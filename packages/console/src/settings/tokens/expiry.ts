const DAY_MS = 24 * 60 * 60 * 1000;

/** The lifetimes to choose from: days, a date, or no limit. */
export const LIFETIMES = [
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'date', label: 'on a date' },
  { value: 'never', label: 'never' },
];

/** Formats a time for date fields, in the browser's time zone. */
export const expiryDay = (at: number): string => {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** Returns when a token created now expires; undefined for never, and for a missing date. */
export function expiryTime(
  { lifetime, date }: { readonly lifetime: string; readonly date: string },
  now: number,
): string | undefined {
  if (lifetime === 'never') return undefined;
  // The token expires at the end of the day, in the user's time zone.
  const end = lifetime === 'date' ? Date.parse(`${date}T23:59:59.999`) : now + Number(lifetime) * DAY_MS;
  return Number.isNaN(end) ? undefined : new Date(end).toISOString();
}
