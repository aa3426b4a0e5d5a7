import type { Webhook } from '@moonbase/contract/webhooks/webhooks';
import { presentSpecification } from '../../jobs/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { withoutCredentials } from '../names/without-credentials.ts';
import { listed, type Section, stored } from '../section.ts';
import { jobsOf, scheduledJobsOf } from './automation-store.ts';

/** A specification has commands and variables of up to 128 KiB each. */
const PAGE_OF_JOBS = 10;

/** The list of another slice. */
export interface AutomationSources {
  readonly webhooks: (caller: Caller) => Promise<readonly Webhook[]>;
}

const shownWebhook = ({ url, ...webhook }: Webhook) => ({
  ...webhook,
  ...(url !== undefined && { url: withoutCredentials(url) }),
});

/** The webhooks and jobs of the user, without the values of secrets. */
export const automationSections = ({ webhooks }: AutomationSources): Section[] => [
  listed('webhooks', async (caller) => (await webhooks(caller)).map(shownWebhook)),
  stored('jobs', {
    rows: jobsOf,
    limit: PAGE_OF_JOBS,
    present: (row) => ({
      ...{ id: row.id, owner: row.owner, stage: row.stage },
      createdAt: timestamp(row.created_at),
      ...(row.started_at !== null && { startedAt: timestamp(row.started_at) }),
      ...(row.finished_at !== null && { finishedAt: timestamp(row.finished_at) }),
      ...presentSpecification(row),
    }),
  }),
  stored('scheduledJobs', {
    rows: scheduledJobsOf,
    limit: PAGE_OF_JOBS,
    present: (row) => ({
      ...{ id: row.id, owner: row.owner, schedule: row.schedule, suspend: row.suspended === 1 },
      createdAt: timestamp(row.created_at),
      jobSpec: presentSpecification(row),
    }),
  }),
];
