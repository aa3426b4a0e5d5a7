import { MAX_TOKEN_MINUTES } from '@moonbase/contract/oauth/applications';
import { type GrantedScope, OAUTH_SCOPES } from '@moonbase/contract/oauth/scopes';
import { parseJson } from '../../platform/stored-form.ts';
import type { AppRow } from '../tables.ts';

/** An application that may act for users who consent. */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** The name of the user who registered the application; absent for applications of the hub. */
  readonly owner?: string;
  readonly secretHash: string | null;
  readonly redirects: readonly string[];
  readonly scopes: readonly GrantedScope[];
  readonly tokenMinutes: number;
}

/** `hf auth login` and `login()` of huggingface_hub, which contain this id and send no scopes (I§1.1). */
const PUBLIC_COMMAND_LINE: App = {
  clientId: '26be6b09-91c5-47da-9861-d2d2bb7a7e36',
  name: 'Hugging Face CLI',
  secretHash: null,
  redirects: [],
  scopes: OAUTH_SCOPES,
  tokenMinutes: MAX_TOKEN_MINUTES,
};

/** `moonbase login`, with the scopes that its commands need, but not the administration of the hub. */
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

/** The applications of the hub, by id. */
const OWN_APPS: ReadonlyMap<string, App> = new Map(
  [PUBLIC_COMMAND_LINE, OWN_COMMAND_LINE].map((app) => [app.clientId, app]),
);
export const OWN_CLIENT_IDS: readonly string[] = [...OWN_APPS.keys()];

/** Returns an application of the hub; undefined for other ids. */
export const ownApp = (clientId: string): App | undefined => OWN_APPS.get(clientId);

/** Returns the name of an application, given the stored name if a user registered the application. */
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

/** Returns the data of an application that users see. */
export const shownApp = ({ clientId, name, owner }: Pick<App, 'clientId' | 'name' | 'owner'>) => ({
  clientId,
  name,
  ...(owner !== undefined && { owner }),
});
