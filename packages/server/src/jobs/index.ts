export { createJobParts } from './assembly.ts';
export { formFault } from './policy.ts';
export { jobRoutes } from './routes.ts';
export { LaunchFailure, type Runner } from './runner.ts';
export type { ScheduledJobs } from './scheduled-jobs.ts';
export type { Jobs } from './service.ts';
export { requireJobSource } from './source.ts';
export type { JobStreams } from './streams.ts';
export type { LaunchForWebhook } from './webhook-launch.ts';
