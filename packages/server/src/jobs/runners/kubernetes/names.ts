import { createHash } from 'node:crypto';

export const HUB_LABEL = 'moonbase/hub';
/** The label that holds the key of an attempt, by which its objects are found. */
export const KEY_LABEL = 'moonbase/key';
const USER_LABELS = 'job.moonbase';
/** The maximum number of a job's labels that its objects carry. */
const MAX_USER_LABELS = 64;

const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const MAX_LENGTH = 63;
const HASH = 16;

/** Returns the name of the Job and the Secret of an attempt, which contains nothing from a user. */
export const objectName = (hub: string, key: string): string => `${hub}-${key}`;

/**
 * Converts a text to the value of a label, or to a name after a prefix. A text that Kubernetes does not accept becomes
 * its readable part and a hash, so that different texts stay different.
 */
export function labelText(text: string): string {
  if (text.length <= MAX_LENGTH && VALUE.test(text)) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH);
  const readable = text
    .slice(0, MAX_LENGTH - HASH - 1)
    .replace(/[^-A-Za-z0-9_.]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return `${readable}${readable === '' ? '' : '-'}${hash}`;
}

/** Returns the labels of a job, under a prefix that neither the hub nor the operator uses. */
export const userLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([name]) => name !== '')
      .slice(0, MAX_USER_LABELS)
      .map(([name, value]) => [`${USER_LABELS}/${labelText(name)}`, labelText(value)]),
  );
