import { listMembers } from '@moonbase/client/members';
import { setSingleSignOn } from '@moonbase/client/single-sign-on';
import { createTestClock } from './clock.ts';
import { CLIENT, type ForgingProvider, startForgingProvider } from './forging-provider.ts';
import { collect } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { newUser, PATCH, type ScimFixture, startScim } from './scim-fixture.ts';

type Settings = Partial<Parameters<typeof setSingleSignOn>[0]['provider']>;

/** Sets the provider of acme as ada. */
export const setProvider = ({ ada }: Pick<ScimFixture, 'ada'>, { issuer }: ForgingProvider, settings: Settings = {}) =>
  setSingleSignOn({
    ...ada,
    organization: 'acme',
    provider: { issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, ...settings },
  });

/** Starts a hub with the organization acme of ada, which has SCIM and a provider of its own. */
export async function startOrganizationProvider(settings: Settings = {}, env: Readonly<Record<string, string>> = {}) {
  const clock = createTestClock();
  const provider = await startForgingProvider(clock);
  const scim = await startScim({ clock, hashing: plainHashing }, 'plus', env);
  await setProvider(scim, provider, settings);
  return {
    ...{ ...scim, provider, clock },
    /** Creates a user by SCIM; returns the id. */
    async provision(userName: string, externalId: string): Promise<string> {
      const { status, body } = await scim.scim('POST /Users', newUser(userName, { externalId }));
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
    setActive: (id: string, value: boolean) =>
      scim.scim(`PATCH /Users/${id}`, PATCH({ op: 'replace', path: 'active', value })),
    /** Returns the role of a user in acme. */
    async roleOf(user: string): Promise<string | undefined> {
      const members = await collect(listMembers({ ...scim.ada, name: 'acme' }));
      return members.find((member) => member.user === user)?.role;
    },
    async [Symbol.asyncDispose]() {
      await scim[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
