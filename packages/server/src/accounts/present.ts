import type { Account } from './store.ts';

/** Of an uploaded picture, on this hub: what `avatar_url` holds. */
export const uploadedPath = (hash: string): string => `/avatars/uploaded/${hash}.webp`;

/** Where the picture of an account is: uploaded, elsewhere, or the one generated from its id. */
export function avatarUrl(baseUrl: string, { id, avatar_url: url }: Pick<Account, 'id' | 'avatar_url'>): string {
  if (url === null) return `${baseUrl}/avatars/${id}.svg`;
  return url.startsWith('/') ? baseUrl + url : url;
}

/** The picture of an account on this hub: the one generated from its id where the account has one elsewhere. */
export const hostedAvatarUrl = (baseUrl: string, { id, avatar_url: url }: Pick<Account, 'id' | 'avatar_url'>): string =>
  avatarUrl(baseUrl, { id, avatar_url: url?.startsWith('/') ? url : null });
