import type { Account } from './store.ts';

/** Returns the path of an uploaded picture, as stored in `avatar_url`. */
export const uploadedPath = (hash: string): string => `/avatars/uploaded/${hash}.webp`;

/** Returns the URL of an account's picture: uploaded, external, or generated from the id. */
export function avatarUrl(baseUrl: string, { id, avatar_url: url }: Pick<Account, 'id' | 'avatar_url'>): string {
  if (url === null) return `${baseUrl}/avatars/${id}.svg`;
  return url.startsWith('/') ? baseUrl + url : url;
}

/** Returns the URL of an account's picture on this hub: the generated picture replaces an external one. */
export const hostedAvatarUrl = (baseUrl: string, { id, avatar_url: url }: Pick<Account, 'id' | 'avatar_url'>): string =>
  avatarUrl(baseUrl, { id, avatar_url: url?.startsWith('/') ? url : null });

/** Presents a user in a list. */
export const presentUser = (
  baseUrl: string,
  user: Pick<Account, 'id' | 'name' | 'fullname' | 'avatar_url' | 'pro'>,
) => ({
  _id: user.id,
  user: user.name,
  fullname: user.fullname,
  avatarUrl: avatarUrl(baseUrl, user),
  isPro: user.pro === 1,
  type: 'user' as const,
});
