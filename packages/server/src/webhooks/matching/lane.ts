import { memoize } from '../../platform/memoize.ts';
import { originOf } from '../../platform/outbound/target-url.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { WebhookRow } from '../tables.ts';

/** The prefix of streams' lanes, which sort after those of the delivery worker: these are hexadecimal hashes. */
export const STREAM_LANES = 'stream:';

/** Returns the target of a webhook that is a stream, which is no URL that a caller can give. */
export const streamTarget = (webhookId: string): string => STREAM_LANES + webhookId;
export const isStreamTarget = (url: string | null): url is string => url?.startsWith(STREAM_LANES) === true;

/** Returns the lane of a target: one per origin (scheme, host and port), one for all jobs, and one per stream. */
export const laneOf = ({ url }: Pick<WebhookRow, 'url'>): string => {
  if (url === null) return JOBS;
  return isStreamTarget(url) ? url : laneOfUrl(url);
};

const hash = (origin: string): string => sha256(origin).slice(0, 24);
const JOBS = hash('job');
const laneOfUrl = memoize(1000, (url) => hash(originOf(url)));
