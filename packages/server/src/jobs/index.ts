export { createJobParts } from './assembly.ts';
export { createDeadJobs, createDeadScheduledJobs } from './execution/dead-jobs.ts';
export { waitingJobs } from './execution/queue-store.ts';
export type { LaunchForWebhook } from './execution/webhook-launch.ts';
export { jobRoutes } from './routes.ts';
export { LaunchFailure, type Runner } from './runners/runner.ts';
export { formFault } from './runs/policy.ts';
export { sourcesOf } from './runs/reach.ts';
export { requireJobSource } from './runs/source.ts';
