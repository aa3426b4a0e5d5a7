import { Flavor } from '@moonbase/contract/jobs/specification';
import type { LenientWebhookInput } from '@moonbase/contract/webhooks/webhooks';
import { requirePermission } from '../../access/index.ts';
import { requireJobSource } from '../../jobs/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller, Principal } from '../../platform/http/authenticate.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import { normalUrl } from '../../platform/outbound/target-url.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { parseJson, toJson } from '../../platform/stored-form.ts';
import type { StoredJob, WebhookRow } from '../tables.ts';
import { sealedAt } from './policy.ts';
import { resealed } from './sealed-columns.ts';

/** The columns of a webhook's target, all empty. */
export const NO_TARGET = { url: null, job: null, job_source_id: null, job_secrets: null, job_token_id: null } as const;

/** The webhook that gets a target: its id, and its row where it exists. */
interface TargetedWebhook {
  readonly id: string;
  readonly old?: WebhookRow;
}

type JobInput = NonNullable<LenientWebhookInput['job']>;

/** Returns the function that makes columns of the target that a caller gives: none where the caller gives no target. */
export function createTargetColumns({ secretBox }: { readonly secretBox: SecretBox }) {
  /** Copies the specification and the secrets of a job that the caller may read, as they are now. */
  async function copiedJob(
    tx: Executor,
    principal: Principal,
    jobId: string,
    webhookId: string,
  ): Promise<Partial<WebhookRow>> {
    const { specification, labels, secrets } = await requireJobSource(tx, principal, jobId);
    const { success, data: flavor } = Flavor.safeParse(specification.flavor);
    if (!success) throw badRequest(`body.jobSourceId: a webhook cannot run jobs on ${specification.flavor}`);
    const { secretNames, ...rest } = specification;
    const job: StoredJob = {
      ...rest,
      flavor,
      secretNames: [...secretNames],
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
    };
    const from = { table: 'jobs', column: 'secrets', id: jobId } as const;
    const sealed = resealed(secretBox, secrets, from, sealedAt('job_secrets', webhookId));
    if (secrets !== null && sealed === null)
      throw conflict('The secrets of this job cannot be read; give the job anew');
    return { ...NO_TARGET, job_source_id: jobId, job: toJson(job), job_secrets: sealed };
  }

  /** Keeps of the former job what the caller leaves out: architecture, attempts, volumes and secrets. */
  function givenJob({ secrets, ...given }: JobInput, { id, old }: TargetedWebhook): Partial<WebhookRow> {
    const before = old?.job ? parseJson(old.job) : undefined;
    const job: StoredJob = {
      ...(before?.arch !== undefined && { arch: before.arch }),
      ...(before?.attempts !== undefined && { attempts: before.attempts }),
      ...(before?.volumes !== undefined && { volumes: before.volumes }),
      ...given,
      secretNames: secrets ? Object.keys(secrets) : (before?.secretNames ?? []),
    };
    const sealed = secrets
      ? secretBox.seal(JSON.stringify(secrets), sealedAt('job_secrets', id))
      : (before && old?.job_secrets) || null;
    return { ...NO_TARGET, job: toJson(job), job_secrets: sealed };
  }

  return async (
    tx: Executor,
    { principal }: Caller,
    input: LenientWebhookInput,
    receiving: TargetedWebhook,
  ): Promise<Partial<WebhookRow>> => {
    if (input.url !== undefined) return { ...NO_TARGET, url: normalUrl(input.url) };
    if (input.job !== undefined || input.jobSourceId !== undefined)
      requirePermission(principal, 'job.write', [principal.userId]);
    if (input.jobSourceId !== undefined) return copiedJob(tx, principal, input.jobSourceId, receiving.id);
    return input.job === undefined ? {} : givenJob(input.job, receiving);
  };
}
