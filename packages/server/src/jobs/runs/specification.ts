import type { JobFlavor, JobInput, JobSpecification } from '@moonbase/contract/jobs/specification';
import type { RepoType } from '@moonbase/contract/primitives';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';

/** The specification of a job as it is stored: secrets by name only, and without labels, which have a column of their own. */
export interface StoredSpecification extends Omit<JobInput, 'secrets' | 'labels' | 'flavor' | 'attempts'> {
  readonly flavor: JobFlavor;
  readonly attempts: number;
  readonly secretNames: readonly string[];
}

/** Variables of a job that an event of a webhook has launched. */
export type TriggerEnvironment = {
  readonly WEBHOOK_PAYLOAD: string;
  readonly WEBHOOK_REPO_ID: string;
  readonly WEBHOOK_REPO_TYPE: RepoType;
};

/** A specification that was sent, taken apart as it is stored. */
export interface Parts {
  readonly specification: StoredSpecification;
  readonly labels: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The time-out of a job whose specification has none. */
export const DEFAULT_TIMEOUT_SECONDS = 30 * 60;

/** Leaves out `expose`, `ssh` and `resourceGroupId`: jobs that need them are refused. */
export function partsOf(input: JobSpecification): Parts {
  const { secrets = {}, labels = {}, expose: _expose, ssh: _ssh, resourceGroupId: _group, ...rest } = input;
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, attempts = 1 } = input;
  const secretNames = Object.keys(secrets);
  return { specification: { ...rest, timeoutSeconds, attempts, secretNames }, labels: labelText(labels), secrets };
}

export const specificationOf = (row: { readonly specification: JsonText<StoredSpecification> }): StoredSpecification =>
  parseJson(row.specification);

/** Labels as a text in which queries look for `;name=value;`: names and values have neither semicolons nor equals signs. */
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
