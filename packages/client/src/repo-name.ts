import type { RepoType } from '@moonbase/contract/primitives';

/** Splits `namespace/name`. Throws a `TypeError` for other texts. */
export function splitRepo(name: string): { namespace: string; repo: string } {
  const [namespace, repo, ...rest] = name.split('/');
  if (!namespace || !repo || rest.length > 0) throw new TypeError(`\`repo\` must be namespace/name, not "${name}"`);
  return { namespace, repo };
}

/** Returns the path parameters of a repository: the plural of its type, and the parts of its name. */
export function repoParams<T extends RepoType>({ type, repo }: { readonly type: T; readonly repo: string }) {
  return { repoType: `${type}s` as const, ...splitRepo(repo) };
}
