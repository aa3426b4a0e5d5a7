import type { WebhookRow } from '../platform/database/tables.ts';
import { originOf } from '../platform/outbound/target-url.ts';
import { remember } from '../platform/remember.ts';
import { sha256 } from '../platform/secrets.ts';

/** Deliveries to one origin (scheme, name and port) stand in one lane; those to jobs in another. */
export const laneOf = ({ url }: Pick<WebhookRow, 'url'>): string => (url === null ? JOBS : laneOfUrl(url));

const hash = (origin: string): string => sha256(origin).slice(0, 24);
const JOBS = hash('job');
const laneOfUrl = remember(1000, (url) => hash(originOf(url)));
