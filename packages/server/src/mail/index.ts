export { createDeadMails } from './dead-mails.ts';
export { createMailWorker } from './mail-worker.ts';
export { createPruneMails, pruneMailsTask } from './prune.ts';
export { createMailReactions } from './reactions.ts';
export { mailRoutes } from './routes.ts';
export { queueThreadMails, type ThreadMail } from './store.ts';
export { createUnsubscribing, type Unsubscribing } from './unsubscribe.ts';
