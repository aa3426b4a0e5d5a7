import { createApplication, listGrants } from '@moonbase/client/applications';
import { createUserLink } from '@moonbase/client/authentication';
import { beginDeviceLogin, exchangeForTokens } from '@moonbase/client/oauth';
import { whoAmI } from '@moonbase/client/profiles';
import { listSessions } from '@moonbase/client/sessions';
import { setSingleSignOn } from '@moonbase/client/single-sign-on';
import { DEVICE_GRANT } from '@moonbase/contract/oauth/protocol';
import { createSigner } from '../../src/platform/secrets.ts';
import type { Connection, TestHub } from '../harness.ts';
import { totpCode } from '../totp-code.ts';
import { SECRET_KEY, unsubscribeToken } from '../unsubscribe-token.ts';
import { FUZZ_PASSWORD } from './pools.ts';

/** Adds a password, a session and an identity of alice, and a link for bob. */
export async function seedSignIn(hub: TestHub, words: Map<string, string>): Promise<void> {
  const codeFor = async (username: string) =>
    new URL((await createUserLink({ ...hub.admin, username, purpose: 'invite' })).url).pathname.replace('/join/', '');
  const { headers } = await fetch(`${hub.url}/api/links/${await codeFor('alice')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: FUZZ_PASSWORD }),
  });
  words.set('§cookie', headers.get('set-cookie')?.split(';')[0] ?? '');
  const [session] = await listSessions(hub.as('alice'));
  words.set('§session', session?.id ?? '').set('§code', await codeFor('bob'));
  const { id: userId } = await whoAmI(hub.as('alice'));
  const identity = {
    ...{ id: '1'.repeat(24), provider: 'hub', org_id: null, issuer: 'https://login.example', subject: 'alice' },
    ...{ user_id: userId, owned: 1, email: null, created_at: 0, used_at: 0 },
  };
  await hub.database.transaction((tx) => tx.insertInto('identities').values(identity).execute());
  words.set('§identity', identity.id);
}

/** Adds an OpenID provider of acme, which does not answer. */
export async function seedProvider(hub: TestHub): Promise<void> {
  const provider = { issuer: 'https://login.example', clientId: 'hub' };
  await setSingleSignOn({ ...hub.as('alice'), organization: 'acme', provider });
}

/**
 * Adds a second factor of alice. Without `confirmed`, the factor waits for its first code, which is the word §code.
 * With `confirmed`, the factor is active and alice has given her password: §cookie contains the cookie that waits for
 * the code of the factor, and §code is this code.
 */
export async function seedSecondFactor(hub: TestHub, words: Map<string, string>, confirmed: boolean): Promise<void> {
  const cookie = words.get('§cookie') ?? '';
  const send = async (path: string, body: object, own = cookie) => {
    const answer = await fetch(hub.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: own },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  };
  const { uri } = (await (await send('/api/settings/second-factors', {})).json()) as { readonly uri: string };
  words.set('§code', totpCode(uri, hub.clock.now()));
  if (!confirmed) return;
  await send('/api/settings/second-factors/confirm', { code: words.get('§code') });
  const step = await send('/api/sign-in', { name: 'alice', password: FUZZ_PASSWORD }, '');
  words.set('§cookie', `${cookie}; ${step.headers.get('set-cookie')?.split(';')[0]}`);
  words.set('§code', totpCode(uri, hub.clock.now() + 30_000));
}

/** Adds an external program that alice trusts with a model. */
export async function seedPublisher({ url }: TestHub, words: Map<string, string>): Promise<void> {
  const answer = await fetch(`${url}/api/settings/trusted-publishers`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: words.get('§cookie') ?? '',
    },
    body: JSON.stringify({ resource: 'alice/things', issuer: 'https://ci.example', claims: { sub: 'repo:acme/ci' } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  words.set('§publisher', ((await answer.json()) as { readonly id: string }).id);
}

/** Adds the code of a mailed link that confirms an address of alice. */
export async function seedEmail({ url, database }: TestHub, words: Map<string, string>): Promise<void> {
  const cookie = words.get('§cookie') ?? '';
  const answer = await fetch(`${url}/api/settings/email`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify({ email: 'countess@example.com' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const links = database.read.selectFrom('one_time_links').select('nonce');
  const { nonce } = await links.where('purpose', '=', 'email').executeTakeFirstOrThrow();
  words.set('§code', createSigner(SECRET_KEY, 'unsubscribe links').sign(`link.${nonce}`));
}

/** Adds an application of alice, the codes of a waiting login, and a grant of hers to another application. */
export async function seedOauth(hub: TestHub, words: Map<string, string>): Promise<void> {
  const alice = hub.as('alice');
  const redirectUris = ['https://app.example/callback'];
  const { clientId } = await createApplication({ ...alice, name: 'Reader', redirectUris });
  const login = await beginDeviceLogin({ ...alice, client_id: clientId });
  words.set('§client', clientId).set('§device code', login.device_code).set('§user code', login.user_code);
  const cookie = words.get('§cookie');
  if (cookie === undefined) return;
  const approvedCode = async () => {
    const { user_code: userCode, device_code } = await beginDeviceLogin({ ...alice, client_id: clientId });
    const answer = await fetch(`${hub.url}/api/oauth/device/decision`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ userCode, decision: 'allow' }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return device_code;
  };
  words.set('§approved', await approvedCode());
  const tokens = await exchangeForTokens({
    ...{ ...alice, client_id: clientId, grant_type: DEVICE_GRANT, device_code: await approvedCode() },
  });
  const [grant] = await listGrants(alice);
  words.set('§grant', grant?.id ?? '').set('§application', tokens.access_token);
}

/** Adds a link from a mail to alice. */
export async function seedUnsubscribing(alice: Connection, words: Map<string, string>): Promise<void> {
  const { id } = await whoAmI(alice);
  words.set('§unsubscribe', unsubscribeToken(id, 'discussions_watched'));
}
