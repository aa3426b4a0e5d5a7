export { type Cards, createCards } from './assembly.ts';
export { createDownloadCounter, RECENT_DAYS } from './downloads/counter.ts';
export { presentCard } from './present.ts';
export { cardRoutes } from './routes.ts';
export { CARDS_BACKUP } from './tables.ts';
export { signTags, signTagsTask } from './tag-signatures.ts';
