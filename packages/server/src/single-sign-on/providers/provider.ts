/** What an OpenID provider says of people, by the names of claims. */
export interface ClaimNames {
  readonly subject: string;
  readonly username: string;
  readonly groups: string;
}

/** Who may sign in, and what becomes of them. */
export interface Rules {
  readonly allowedDomains: readonly string[];
  readonly allowedGroups: readonly string[];
  /** Whose people are site administrators. */
  readonly adminGroup?: string | undefined;
  readonly createUsers: boolean;
  readonly linkByEmail: boolean;
  /** Names of organizations whose SCIM the same provider feeds. */
  readonly scimOrganizations: readonly string[];
}

/** Which roles the groups of people give them in the organization whose provider it is. */
export interface RoleRules {
  readonly defaultRole: string;
  readonly mapping: readonly { readonly group: string; readonly role: string }[];
}

/** An OpenID provider that people sign in with. */
export interface Provider {
  /** `hub`, or the id of the organization that has it. */
  readonly key: string;
  /** What the sign-in page calls it. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly claims: ClaimNames;
  readonly rules: Rules;
  /** Of the provider of an organization. */
  readonly roles?: RoleRules;
}

export const HUB = 'hub';

/** Where a provider sends people back to: each has a path of its own, so that none answers for another. */
export const callbackPath = (key: string): string =>
  key === HUB ? '/login/oidc/callback' : `/login/oidc/${key}/callback`;
