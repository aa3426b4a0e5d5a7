import { createHash } from 'node:crypto';

export const HUB_LABEL = 'moonbase/hub';
/** The key of the attempt: how everything of it is found again. */
export const KEY_LABEL = 'moonbase/key';
const USER_LABELS = 'job.moonbase';
/** More labels of a job are left out. */
const MAX_USER_LABELS = 64;

const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const MAX_LENGTH = 63;
const HASH = 16;

/** The name of the Job and the Secret of an attempt: of the hub and the key only, nothing that a user has sent. */
export const objectName = (hub: string, key: string): string => `${hub}-${key}`;

/**
 * A text as the value of a label, or as its name behind the prefix: as it is where Kubernetes takes it, else what can be
 * read of it and a hash, so that two texts stay two.
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

/** The labels of a job under a prefix of their own: none of them can be taken for one of the hub or the operator. */
export const userLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([name]) => name !== '')
      .slice(0, MAX_USER_LABELS)
      .map(([name, value]) => [`${USER_LABELS}/${labelText(name)}`, labelText(value)]),
  );
