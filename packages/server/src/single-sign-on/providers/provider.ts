/** The names of the claims that describe people. */
export interface ClaimNames {
  readonly subject: string;
  readonly username: string;
  readonly groups: string;
}

/** The rules for who may sign in, and with which rights. */
export interface Rules {
  readonly allowedDomains: readonly string[];
  readonly allowedGroups: readonly string[];
  /** The group whose members are site administrators. */
  readonly adminGroup?: string | undefined;
  readonly createUsers: boolean;
  readonly linkByEmail: boolean;
  /** Names of organizations whose SCIM the same provider feeds. */
  readonly scimOrganizations: readonly string[];
}

/** A group of a provider, and the role that it gives. */
export interface MappedGroup {
  readonly group: string;
  readonly role: string;
}

/** The roles that people's groups give in the organization that owns the provider. */
export interface RoleRules {
  readonly defaultRole: string;
  readonly mapping: readonly MappedGroup[];
  /** Undefined: the plan no longer includes resource groups, which stay as they are. */
  readonly resourceGroups: readonly (MappedGroup & { readonly resourceGroupId: string })[] | undefined;
}

/** What the hub needs to know of a provider to fetch its document. */
export type ContactedProvider = Pick<Provider, 'key' | 'issuer'>;

/** An OpenID provider that people sign in with. */
export interface Provider {
  /** `hub`, or the id of the organization that owns the provider. */
  readonly key: string;
  /** The name on the sign-in page. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly claims: ClaimNames;
  readonly rules: Rules;
  /** Only for providers of organizations. */
  readonly roles?: RoleRules;
}

export const HUB = 'hub';

/** Returns the callback path of a provider; every provider has its own, so that none can answer for another. */
export const callbackPath = (key: string): string =>
  key === HUB ? '/login/oidc/callback' : `/login/oidc/${key}/callback`;
