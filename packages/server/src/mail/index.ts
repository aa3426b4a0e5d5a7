export { createDeadMails } from './dead-mails.ts';
export { createPruneMails, MAIL_DAYS, pruneMailsTask } from './prune.ts';
export { queueThreadMails } from './queue-thread-mails.ts';
export { createMailReactions } from './reactions.ts';
export { mailRoutes } from './routes.ts';
export { createMailWorker } from './sending/mail-worker.ts';
export { MAILS } from './store.ts';
export { MAIL_BACKUP } from './tables.ts';
export { createUnsubscribing, type Unsubscribing } from './unsubscribe.ts';
