import { checkTargetUrl, parseUrl } from '../platform/outbound/target-url.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Syncs of mirrors that were set up together drift apart by this part of the interval. */
const JITTER = 0.1;

/** The name of the lane that whoever syncs a mirror has leased. */
export const laneOf = (id: string): string => `mirror/${id}`;

/** Returns the wait until the next regular sync; `random` is at least 0 and below 1. */
export const regularDelayMs = (intervalSeconds: number, random: number): number =>
  Math.round(intervalSeconds * 1000 * (1 + JITTER * (random - 0.5)));

/** Returns the wait after a number of failures: a minute, doubled each time, at most a day or the interval. */
export const retryDelayMs = (failures: number, intervalSeconds: number): number =>
  Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, 30), Math.max(DAY_MS, intervalSeconds * 1000));

/** Returns a sentence that says what to change in the URL of a remote; undefined if it is acceptable. */
export function remoteUrlFault(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return 'Give the https URL of a git repository, such as https://example.com/ada/letters; ssh, git and file are not supported.';
  if (parsed.username !== '' || parsed.password !== '')
    return 'Remove the user name and the password from the URL; give them as username and token.';
  if (parsed.search !== '' || parsed.hash !== '') return 'Remove what follows ? or # from the URL.';
  return checkTargetUrl(url);
}

/** Returns the URL of a remote without a final slash. */
export const plainRemoteUrl = (url: string): string => new URL(url).href.replace(/\/+$/, '');
