import { memoize } from '../../platform/memoize.ts';
import { originOf } from '../../platform/outbound/target-url.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { WebhookRow } from '../tables.ts';

/** The lanes that the delivery worker serves stand before this one, in the order of every database. */
export const STREAM_LANES = 'stream:';

/** The target of a webhook that is a connection: no URL that anybody can give. */
export const streamTarget = (webhookId: string): string => STREAM_LANES + webhookId;
export const isStreamTarget = (url: string | null): url is string => url?.startsWith(STREAM_LANES) === true;

/** Deliveries to one origin (scheme, name and port) stand in one lane, those to jobs in another, each stream has its own. */
export const laneOf = ({ url }: Pick<WebhookRow, 'url'>): string => {
  if (url === null) return JOBS;
  return isStreamTarget(url) ? url : laneOfUrl(url);
};

const hash = (origin: string): string => sha256(origin).slice(0, 24);
const JOBS = hash('job');
const laneOfUrl = memoize(1000, (url) => hash(originOf(url)));
