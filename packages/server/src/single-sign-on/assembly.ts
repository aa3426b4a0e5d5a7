import type { Memberships } from '../access/index.ts';
import { type Accounts, findAccount, findAccountById } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Ids } from '../platform/ids.ts';
import { createKeySets } from '../platform/outbound/key-sets.ts';
import type { SecretBox } from '../platform/secrets.ts';
import type { SignInParts } from '../sign-in/index.ts';
import { createFlow } from './flow/service.ts';
import { createTransactions } from './flow/transaction.ts';
import { createLogouts } from './logout/service.ts';
import { createFollowing } from './organizations/following.ts';
import { findOrganizationProvider, providersOfIssuer } from './organizations/provider-store.ts';
import { createOrganizationProviders } from './organizations/service.ts';
import { providerFrom } from './organizations/stored-provider.ts';
import { createIdentities } from './people/identities.ts';
import { createMatching } from './people/matching.ts';
import { createDocuments } from './providers/documents.ts';
import { hubProvider } from './providers/hub-provider.ts';
import { createOpenid } from './providers/openid.ts';
import { HUB, type Provider } from './providers/provider.ts';
import { createProviderCheck } from './providers/provider-check.ts';
import { createProviderFetch } from './providers/provider-fetch.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly accounts: Accounts;
  readonly memberships: Memberships;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly signIn: SignInParts;
  readonly settings: Pick<Config, 'oidc' | 'signUp' | 'outboundAllow' | 'developmentMode'>;
  readonly warn: (details: object, message: string) => void;
}

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** Assembles sign-in with OpenID providers. */
export function createSingleSignOn(dependencies: Dependencies) {
  const { settings, clock, database, secretBox } = dependencies;
  const { sessions } = dependencies.signIn;
  const { ways } = dependencies.signIn;
  const hub = ways.has('oidc') ? hubProvider(settings) : undefined;
  const { of: fetchOf, close } = createProviderFetch({ ...settings, trustedIssuer: hub?.issuer });
  const documents = createDocuments({ clock, fetchOf });
  const openid = createOpenid({ clock, documents, keySets: createKeySets({ clock, restsAfterFailure: false }) });
  const matching = createMatching({ ...dependencies, isClosed: settings.signUp === 'closed' });

  async function providerOf(key: string): Promise<Provider | undefined> {
    if (key === HUB) return hub;
    const row = ways.has('oidc') ? await findOrganizationProvider(database.read, key) : undefined;
    const organization = row && (await findAccountById(database.read, key));
    // A deleted organization is found by id, but not by name: it has no provider until it is restored.
    const isThere = organization && (await findAccount(database.read, organization.name))?.id === key;
    return row && isThere ? providerFrom(row, organization, secretBox) : undefined;
  }

  const flow = createFlow({
    ...{ ...dependencies, openid, matching, transactions: createTransactions(dependencies), providerOf },
    async findProvider(name) {
      if (name === undefined) return hub;
      const organization = await findAccount(database.read, name);
      return organization?.kind === 'org' ? providerOf(organization.id) : undefined;
    },
    onSignedIn: createFollowing(dependencies),
  });

  async function providersOf(issuer: string): Promise<Provider[]> {
    const rows = await providersOfIssuer(database.read, issuer);
    const found = await Promise.all(rows.map(({ id }) => providerOf(id)));
    return [...(hub?.issuer === issuer ? [hub] : []), ...found.filter((provider) => provider !== undefined)];
  }

  const faultOf = createProviderCheck(documents);
  return {
    /** Says in one sentence why people could not sign in at the provider of the hub; undefined if they can, or it has none. */
    faultOfHubProvider: async () => hub && faultOf(hub),
    /** The provider of the hub, as the sign-in page shows it. */
    shown: hub && { name: hub.name, ...(settings.oidc.auto && { auto: true as const }) },
    flow,
    identities: createIdentities(dependencies),
    logouts: createLogouts({ ...dependencies, sessions, openid, providersOf }),
    organizationProviders: createOrganizationProviders({
      ...{ ...dependencies, sessions, developmentMode: settings.developmentMode },
      faultOf,
    }),
    signIn: dependencies.signIn,
    close,
  };
}
