import type { RepoType, RepoTypeSegment } from '@moonbase/contract/primitives';
import type { EventPayload } from '@moonbase/contract/webhooks/payload';
import { fullName, type RepoName, type Repository } from './store.ts';

const WEB_PREFIX = {
  model: '',
  dataset: 'datasets/',
  space: 'spaces/',
  bucket: 'buckets/',
  kernel: 'kernels/',
} as const;

/** Returns the path segment of a type: `models` for `model`. */
export const segmentOf = (type: RepoType): RepoTypeSegment => `${type}s`;

/** Returns the type of a path segment: `model` for `models`. */
export const typeOf = (segment: RepoTypeSegment): RepoType => TYPES[segment];

/** Returns the repository that a path names. */
export const nameInPath = (params: { repoType: RepoTypeSegment; namespace: string; repo: string }): RepoName => ({
  type: typeOf(params.repoType),
  namespace: params.namespace,
  name: params.repo,
});

const TYPES = {
  models: 'model',
  datasets: 'dataset',
  spaces: 'space',
  buckets: 'bucket',
  kernels: 'kernel',
} as const satisfies Record<RepoTypeSegment, RepoType>;

/** Returns the URLs of a repository's page and API (W§3.1). */
export const repoUrls = (baseUrl: string, type: RepoType, name: string) => ({
  web: `${baseUrl}/${WEB_PREFIX[type]}${name}`,
  api: `${baseUrl}/api/${segmentOf(type)}/${name}`,
});

/** Returns the part of a Space's host name that identifies the Space. */
export const subdomainOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Presents the `repo` part of a payload; `headSha` is present only if the scope begins with `repo` (W§3.1). */
export function payloadRepo(baseUrl: string, repo: Repository, scope: string): EventPayload['repo'] {
  const name = fullName(repo);
  return {
    type: repo.type,
    name,
    id: repo.id,
    private: repo.private === 1,
    url: repoUrls(baseUrl, repo.type, name),
    owner: { id: repo.owner_id },
    ...(scope.startsWith('repo') && repo.head_sha !== null && { headSha: repo.head_sha }),
    ...(repo.type === 'space' && { subdomain: subdomainOf(name) }),
  };
}

export const visibilityOf = (repo: Repository) => (repo.private === 1 ? ('private' as const) : ('public' as const));

export const gatedOf = (repo: Repository) => (repo.gated === null ? (false as const) : repo.gated);

/** Presents the settings for the settings endpoint. */
export const presentSettings = (repo: Repository) =>
  repo.type === 'bucket'
    ? { private: repo.private === 1, cdnRegions: [] }
    : {
        private: repo.private === 1,
        visibility: visibilityOf(repo),
        discussionsDisabled: repo.discussions_disabled === 1,
        gated: gatedOf(repo),
        orgMembersGated: repo.gate_for_members === 1,
        ...(repo.gate_email !== null && { gatedNotificationsEmail: repo.gate_email }),
        gatedNotificationsMode: repo.gate_mails,
      };
