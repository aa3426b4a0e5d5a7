import type { createRepo } from '@moonbase/client/repositories';

export const REPO_TYPES = ['model', 'dataset', 'space', 'kernel', 'bucket'] as const;
export type RepoType = (typeof REPO_TYPES)[number];

export const SDKS = ['gradio', 'streamlit', 'docker', 'static'] as const;

/** What the form of a new repository contains. */
export interface RepoDraft {
  readonly name: string;
  /** Undefined: as the owner sets it, which is public for users. */
  readonly visibility: 'public' | 'private' | undefined;
  readonly licence: string | undefined;
  readonly sdk: (typeof SDKS)[number] | undefined;
  /** The chosen resource group, and the organization that it belongs to. */
  readonly group: { readonly organization: string; readonly id: string } | undefined;
}

export const NO_REPO: RepoDraft = {
  ...{ name: '', visibility: undefined, licence: undefined, sdk: 'gradio', group: undefined },
};

/** Returns the request that creates the repository, without what its type does not have. */
export function requestOf(
  type: RepoType,
  owner: string,
  { name, visibility, licence, sdk, group }: RepoDraft,
): Omit<Parameters<typeof createRepo>[0], 'hubUrl'> {
  return {
    ...{
      repo: `${owner}/${name.trim()}`,
      type,
      visibility,
      resourceGroupId: group?.organization === owner ? group.id : undefined,
    },
    ...(type !== 'bucket' && { license: licence }),
    ...(type === 'space' && { sdk }),
  };
}
