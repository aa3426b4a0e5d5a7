import type { JobFlavor, JobInput, JobSpecification } from '@moonbase/contract/jobs/specification';
import type { RepoType } from '@moonbase/contract/primitives';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';

/** The stored specification of a job: secrets by name only, and without labels, which have their own column. */
export interface StoredSpecification extends Omit<JobInput, 'secrets' | 'labels' | 'flavor' | 'attempts'> {
  readonly flavor: JobFlavor;
  readonly attempts: number;
  readonly secretNames: readonly string[];
}

/** The variables of a job that a webhook event launched. */
export type TriggerEnvironment = {
  readonly WEBHOOK_PAYLOAD: string;
  readonly WEBHOOK_REPO_ID: string;
  readonly WEBHOOK_REPO_TYPE: RepoType;
};

/** The parts of a submitted specification in their stored form. */
export interface Parts {
  readonly specification: StoredSpecification;
  readonly labels: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The time-out of a job whose specification sets none. */
export const DEFAULT_TIMEOUT_SECONDS = 30 * 60;

/** Omits `expose`, `ssh` and `resourceGroupId`: jobs that need them are refused. */
export function partsOf(input: JobSpecification): Parts {
  const { secrets = {}, labels = {}, expose: _expose, ssh: _ssh, resourceGroupId: _group, ...rest } = input;
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, attempts = 1 } = input;
  const secretNames = Object.keys(secrets);
  return { specification: { ...rest, timeoutSeconds, attempts, secretNames }, labels: labelText(labels), secrets };
}

export const specificationOf = (row: { readonly specification: JsonText<StoredSpecification> }): StoredSpecification =>
  parseJson(row.specification);

/**
 * Returns labels as a text that contains `;name=value;` for each; names and values contain neither semicolons nor
 * equals signs.
 */
export const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels).reduce((text, [name, value]) => `${text}${name}=${value};`, ';');

export function labelsOf(text: string): Record<string, string> {
  const pairs = text.split(';').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value];
    }),
  );
}
