import type { RepoType } from '@moonbase/contract/primitives';
import type { RepoName } from '../../repositories/index.ts';

/** The prefixes of repositories other than models in resource texts. */
const TYPES: Readonly<Record<string, RepoType>> = {
  models: 'model',
  datasets: 'dataset',
  spaces: 'space',
  kernels: 'kernel',
  buckets: 'bucket',
};

/** A resource: a repository or an account. */
export type ResourceName =
  | { readonly kind: 'repo'; readonly repo: RepoName }
  | { readonly kind: 'account'; readonly name: string };

/**
 * Parses a resource text: `ns/name` for a model, `datasets/ns/name`, or an account; returns undefined for other forms.
 */
export function parseResource(text: string): ResourceName | undefined {
  const parts = text.split('/');
  if (parts.some((part) => part === '')) return undefined;
  const [first = '', second = '', third] = parts;
  if (parts.length === 1) return { kind: 'account', name: first };
  if (parts.length === 2) return { kind: 'repo', repo: { type: 'model', namespace: first, name: second } };
  const type = Object.hasOwn(TYPES, first) ? TYPES[first] : undefined;
  if (parts.length !== 3 || type === undefined || third === undefined) return undefined;
  return { kind: 'repo', repo: { type, namespace: second, name: third } };
}

/** Returns the resource text of a repository. */
export const resourceText = ({ type, namespace, name }: RepoName): string =>
  `${type === 'model' ? '' : `${type}s/`}${namespace}/${name}`;
