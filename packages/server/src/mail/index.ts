export { createDeadMails } from './dead-mails.ts';
export { createMailWorker } from './mail-worker.ts';
export { createMailReactions } from './reactions.ts';
export { createMailRetention } from './retention.ts';
export { mailRoutes } from './routes.ts';
export { queueThreadMails, type ThreadMail } from './store.ts';
export { createUnsubscribing, type Unsubscribing } from './unsubscribe.ts';
