import type { JobFlavor, JobInput, JobSpecification } from '@moonbase/contract/jobs/specification';
import type { JobRow } from '../tables.ts';

/** What a job is to do, as it is kept: secrets by name, their values apart and sealed; labels apart, as they change. */
export interface StoredSpecification extends Omit<JobInput, 'secrets' | 'labels' | 'flavor' | 'attempts'> {
  readonly flavor: JobFlavor;
  readonly attempts: number;
  readonly secretNames: readonly string[];
}

/** A specification taken apart into what is kept in different places. */
export interface Parts {
  readonly specification: StoredSpecification;
  readonly labels: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** What jobs get that name no time-out. */
export const DEFAULT_TIMEOUT_SECONDS = 30 * 60;

/** `expose`, `ssh` and `resourceGroupId` are not kept: what would need them is refused. */
export function partsOf(input: JobSpecification): Parts {
  const { secrets = {}, labels = {}, expose: _expose, ssh: _ssh, resourceGroupId: _group, ...rest } = input;
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, attempts = 1 } = input;
  const secretNames = Object.keys(secrets);
  return { specification: { ...rest, timeoutSeconds, attempts, secretNames }, labels: labelText(labels), secrets };
}

export const specificationOf = (row: Pick<JobRow, 'specification'>): StoredSpecification =>
  JSON.parse(row.specification) as StoredSpecification;

/** Labels as a text in which `;name=value;` can be looked for: neither has a semicolon or an equals sign in it. */
export const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels).reduce((text, [name, value]) => `${text}${name}=${value};`, ';');

export function labelsOf(text: string): Record<string, string> {
  const pairs = text
    .split(';')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=') as [string, string]);
  return Object.fromEntries(pairs);
}
