import type { Muted, Watched } from '@moonbase/contract/notifications/watching';
import { avatarUrl } from '../accounts/index.ts';
import type { ListedMute, ListedWatch } from './visible-store.ts';

export function presentWatched(baseUrl: string, row: ListedWatch): Watched {
  const repo = row.repoType && { type: row.repoType, name: `${row.accountName}/${row.repoName}` };
  return {
    id: row.id,
    type: row.type,
    name: repo ? repo.name : row.accountName,
    avatarUrl: avatarUrl(baseUrl, { id: row.accountId, avatar_url: row.avatarUrl }),
    ...(repo && { repo }),
  };
}

export function presentMuted(row: ListedMute): Muted {
  const repo = row.repoType && { type: row.repoType, name: `${row.ownerName}/${row.repoName}` };
  const thread = threadOf(row);
  return {
    id: row.id,
    type: row.type,
    name: row.discussionTitle ?? row.paperTitle ?? row.postTitle ?? (repo ? repo.name : ''),
    ...(thread && { thread }),
    ...(repo && { repo }),
    ...(row.num !== null && { num: row.num }),
  };
}

function threadOf({ num, paperTitle, postKind }: ListedMute): Muted['thread'] {
  if (num !== null) return 'repo';
  if (paperTitle !== null) return 'paper';
  if (postKind !== null) return postKind === 'article' ? 'community_blog' : 'post';
  return undefined;
}
