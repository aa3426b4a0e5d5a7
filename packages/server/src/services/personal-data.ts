import type { Infrastructure } from '../infrastructure.ts';
import type { OauthParts } from '../oauth/index.ts';
import { createPersonalData, sectionsFrom } from '../personal-data/index.ts';
import type { AccountQuotas } from '../quotas/index.ts';
import type { SingleSignOn } from '../single-sign-on/index.ts';
import type { Content } from './content.ts';
import type { Foundation, ServiceOverrides } from './foundation.ts';
import type { Outlets } from './outlets.ts';
import type { People } from './people.ts';

interface Given {
  readonly overrides: ServiceOverrides;
  readonly infrastructure: Infrastructure;
  readonly foundation: Foundation;
  readonly people: People;
  readonly content: Content;
  readonly outlets: Outlets;
  readonly oauth: OauthParts;
  readonly singleSignOn: SingleSignOn;
  readonly quotas: AccountQuotas;
}

/** Creates the exports of personal data, from the lists of the other services. */
export function createExports({ overrides, infrastructure, foundation, people, content, outlets, ...given }: Given) {
  const { oauth, singleSignOn, quotas } = given;
  const { signIn, ownTokens } = people;
  const { database, clock } = infrastructure;
  return createPersonalData({
    ...{ database, clock, audit: foundation.audit, stallMs: overrides.exportStallMs },
    sections: sectionsFrom({
      usage: (caller) => quotas.usageOfCaller(caller),
      notificationSettings: (caller) => content.settings.getNotifications(caller),
      mcpSettings: (caller) => content.mcpSettings.get(caller),
      sessions: (caller) => signIn.sessions.list(caller),
      signIns: ({ principal }, page) => signIn.trail.listOwn(principal, page),
      accessTokens: (caller, page) => ownTokens.list(caller, page),
      grants: (caller) => oauth.grants.list(caller),
      applications: (caller) => oauth.applications.list(caller),
      publishers: (caller) => oauth.publishers.list(caller),
      identities: (caller) => singleSignOn.identities.list(caller),
      paperClaims: (caller, page) => content.claims.listOwn(caller, page),
      webhooks: (caller) => outlets.webhooks.services.webhooks.list(caller),
    }),
  });
}
