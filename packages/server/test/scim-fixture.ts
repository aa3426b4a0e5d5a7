import type { Method } from '@moonbase/contract/route';
import type { Overrides } from '../src/hub.ts';
import { ask } from './ask.ts';
import { type Connection, person, startHub, type TestHub } from './harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer.
type Json = any;

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export type Call = (
  request: `${Method} ${string}`,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ScimAnswer>;

export interface ScimFixture extends AsyncDisposable {
  readonly hub: TestHub;
  readonly ada: Connection;
  /** Calls a path below `scim/v2` with the token of ada, an admin of acme. */
  readonly scim: Call;
  /** Calls a path below `scim-provisioning/v2` with the token of ada. */
  readonly invited: Call;
  /** Calls a path of the organization acme. */
  readonly org: Call;
  /** Creates bob's organization beta; returns a function that calls its paths as bob. */
  beta(): Promise<Call>;
  /** Returns the rows of a query. */
  rows<T>(query: string): Promise<T[]>;
  /** Returns the audit log of acme as pairs of type and message, oldest first. */
  audit(): Promise<[string, string][]>;
}

const ownedBy = (user: string, name: string, plan: 'plus') => ({
  name,
  plan,
  members: [
    { user, role: 'admin' as const },
    { user: 'admin', state: 'absent' as const },
  ],
});

/** Starts a hub with the organization acme on the top plan, ada as its admin, and users who are not members. */
export async function startScim(
  overrides: Overrides = {},
  plan = 'plus' as const,
  settings: Readonly<Record<string, string>> = {},
): Promise<ScimFixture> {
  const hub = await startHub(settings, overrides as never);
  await hub.apply({
    users: ['ada', 'bob', 'carol', 'dan'].map((name) => ({ ...person(name), email: `${name}@home.test` })),
    organizations: [ownedBy('ada', 'acme', plan)],
  });
  const ada = hub.as('ada');
  const calling =
    (base: string, type?: string, connection = ada): Call =>
    async (request, body, headers = {}) => {
      const [method, path] = request.split(/ (.*)/s);
      const answer = await ask(connection, `${method as Method} ${base}${path}`, body, {
        ...(type && body !== undefined && { 'content-type': type }),
        ...headers,
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
    };
  const base = '/api/organizations/acme';
  return {
    hub,
    ada,
    scim: calling(`${base}/scim/v2`, 'application/scim+json; charset=utf-8'),
    invited: calling(`${base}/scim-provisioning/v2`, 'application/scim+json; charset=utf-8'),
    org: calling(base),
    async beta() {
      await hub.apply({ organizations: [ownedBy('bob', 'beta', plan)] });
      return calling('/api/organizations/beta', undefined, hub.as('bob'));
    },
    async rows(query) {
      const { CompiledQuery } = await import('kysely');
      const { rows } = await hub.database.read.executeQuery(CompiledQuery.raw(query));
      return rows as never;
    },
    async audit() {
      const answer = await ask(ada, `GET ${base}/audit-log/export`);
      const events = (await answer.json()) as { type: string; message: string }[];
      return events.reverse().map(({ type, message }) => [type, message]);
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** Returns a user as an identity provider sends one. */
export const newUser = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  externalId: `ext-${userName}`,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ value: `${userName.replace(/@.*/, '')}@acme.test`, type: 'work', primary: true }],
  active: true,
  ...more,
});

export const PATCH = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
