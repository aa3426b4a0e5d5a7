import { MAX_TOKEN_MINUTES } from '@moonbase/contract/oauth/applications';
import { type GrantedScope, OAUTH_SCOPES } from '@moonbase/contract/oauth/scopes';
import { parseJson } from '../../platform/stored-form.ts';
import type { AppRow } from '../tables.ts';

/** An application that users may let act for them. */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** The name of the user who registered it; absent for an application of the hub itself. */
  readonly owner?: string;
  readonly secretHash: string | null;
  readonly redirects: readonly string[];
  readonly scopes: readonly GrantedScope[];
  readonly tokenMinutes: number;
}

/** `hf auth login` and `login()` of huggingface_hub: the id stands in their source, and they send no scopes (I§1.1). */
const PUBLIC_COMMAND_LINE: App = {
  clientId: '26be6b09-91c5-47da-9861-d2d2bb7a7e36',
  name: 'Hugging Face CLI',
  secretHash: null,
  redirects: [],
  scopes: OAUTH_SCOPES,
  tokenMinutes: MAX_TOKEN_MINUTES,
};

/** `moonbase login`: what its commands do, without the administration of the hub. */
const OWN_COMMAND_LINE: App = {
  clientId: 'moonbase-cli',
  name: 'Moonbase command line',
  secretHash: null,
  redirects: [],
  scopes: [
    ...(['openid', 'profile', 'read-memberships', 'read-repos', 'write-repos', 'manage-repos'] as const),
    ...(['jobs', 'webhooks', 'write-discussions', 'notifications', 'settings', 'manage-orgs'] as const),
  ],
  tokenMinutes: MAX_TOKEN_MINUTES,
};

/** The applications of the hub itself, by their ids. */
const OWN_APPS: ReadonlyMap<string, App> = new Map(
  [PUBLIC_COMMAND_LINE, OWN_COMMAND_LINE].map((app) => [app.clientId, app]),
);
export const OWN_CLIENT_IDS: readonly string[] = [...OWN_APPS.keys()];

/** Returns an application of the hub itself; undefined for the id of another one. */
export const ownApp = (clientId: string): App | undefined => OWN_APPS.get(clientId);

/** Returns the name of an application, given the one that is stored of an application that a user registered. */
export const nameOfApp = (clientId: string, stored: string | null): string =>
  stored ?? ownApp(clientId)?.name ?? clientId;

export const isOwnApp = ({ owner }: App): boolean => owner === undefined;

export const appOf = (row: AppRow & { readonly owner: string }): App => ({
  clientId: row.client_id,
  name: row.name,
  owner: row.owner,
  secretHash: row.secret_hash,
  redirects: parseJson(row.redirects),
  scopes: parseJson(row.scopes),
  tokenMinutes: row.token_minutes,
});

/** Returns an application as it is named to users. */
export const shownApp = ({ clientId, name, owner }: Pick<App, 'clientId' | 'name' | 'owner'>) => ({
  clientId,
  name,
  ...(owner !== undefined && { owner }),
});
