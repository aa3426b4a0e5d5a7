import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { getOrganizationOverview } from '@moonbase/client/profiles';
import { createWebhook } from '@moonbase/client/webhooks';
import { ACCESS_TOKEN, type Connection, type Side } from '../hub.ts';
import { fillProvisioned } from '../scim.ts';
import type { Fixture } from './plan.ts';

const ORGANIZATIONS = 5;
export const WEBHOOKS_PER_ORGANIZATION = 10;
const REPOS_PER_ORGANIZATION = 4;
const READERS = 10;
const PROVISIONED_USERS = 5000;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const person = (name: string, token: string) => ({ name, tokens: [{ name: 'load', role: 'write' as const, token }] });

/**
 * Creates organizations whose repositories change, each with ten webhooks at receivers of their own, readers who watch
 * them all, and an organization with an identity provider. `changes` is the number of repositories whose settings can
 * be changed.
 */
export async function prepareFixture(
  hub: Connection,
  side: Side,
  { receivers, changes }: { readonly receivers: readonly string[]; readonly changes: number },
): Promise<Fixture> {
  const writer = 'hf_tokenOfTheWriter';
  const readers = times(READERS, (at) => `hf_tokenOfReader${at}`);
  const organizations = times(ORGANIZATIONS, (at) => `town-${at}`);
  const of = (at: number) => organizations[at % ORGANIZATIONS] as string;
  const repos = times(ORGANIZATIONS * REPOS_PER_ORGANIZATION, (at) => `${of(at)}/model-${at}`);
  const changed = times(changes, (at) => `${of(at)}/changed-${at}`);
  await applyHub({
    ...hub,
    document: {
      users: [person('writer', writer), ...readers.map((token, at) => person(`reader-${at}`, token))],
      organizations: [
        ...organizations.map((name) => ({
          name,
          members: [
            { user: 'writer', role: 'admin' as const },
            ...readers.map((_, at) => ({ user: `reader-${at}`, role: 'read' as const })),
          ],
        })),
        { name: 'acme', plan: 'plus' },
      ],
      repos: [...repos, ...changed].map((name) => ({ name })),
    },
  });
  for (const repo of repos)
    await createDiscussion({ ...hub, accessToken: writer, type: 'model', repo, title: 'All', description: 'Talk' });
  const webhooks: string[] = [];
  for (const name of organizations) {
    for (let at = 0; at < WEBHOOKS_PER_ORGANIZATION; at++) {
      const url = `${receivers[at]}${name}/${at}`;
      const watched = [{ type: 'org' as const, name }];
      const { webhook } = await createWebhook({
        ...hub,
        webhook: { url, watched, domains: ['repo', 'discussion'], secret: 'a secret' },
      });
      webhooks.push(webhook.id);
    }
  }
  const { _id } = await getOrganizationOverview({ ...hub, name: 'acme' });
  await fillProvisioned(side, _id, PROVISIONED_USERS);
  return {
    ...{ readers, writer, repos, changed, webhooks },
    admin: ACCESS_TOKEN,
    provisioned: 'acme',
    provisionedUsers: PROVISIONED_USERS,
  };
}

/** Returns the paths of the receivers of an organization's webhooks. */
export const webhookPaths = (organization: string): string[] =>
  times(WEBHOOKS_PER_ORGANIZATION, (at) => `/${organization}/${at}`);
