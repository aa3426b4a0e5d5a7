import { revokeOauthToken } from '@moonbase/client/oauth';
import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { checkToken, connectionOf } from '../connection.ts';
import { hubKey, type Login, readCredentials, withHub, writeCredentials } from '../login/credentials.ts';
import { withCredentialsLock } from '../login/credentials-lock.ts';
import { CLIENT_ID, logInByCode } from '../login/device-login.ts';
import { command } from '../program/command.ts';
import { FailedError, UsageError } from '../program/failure.ts';
import { flag } from '../program/parameter.ts';
import { readSecret } from '../terminal/asking.ts';
import { sleepOf, type Terminal } from '../terminal/terminal.ts';

export const login = command({
  name: 'login',
  summary: 'sign in to a hub: in a browser, or with an access token',
  details:
    'At a terminal the command prints an address and a code: open the address in a browser, where you are signed in to the hub, ' +
    'and type the code. The hub then lists this login among your applications.\n\n' +
    'With --with-token, and where there is no terminal, the command takes an access token, prompting for it without echo or ' +
    'reading it from standard input:\n\n  moonbase login --url https://hub.example.com < token.txt\n\n' +
    'What the hub gives is stored in moonbase/credentials.json in your configuration directory, readable only by you. ' +
    'The administration of the hub (apply, users, admin) needs an access token with the role write.',
  options: { withToken: flag('take an access token, also at a terminal') },
  async run({ hub, terminal, options: { withToken } }) {
    const here: Hub = { ...hub, fetch: terminal.fetch };
    const given =
      terminal.ask && !withToken ? await logInByCode(here, terminal) : await readToken(hub.hubUrl, terminal);
    const who = await whoAmI({ ...here, accessToken: typeof given === 'string' ? given : given.accessToken });
    await store(hub.hubUrl, given, terminal);
    return who;
  },
  say: ({ name }, { hub }) => `Signed in to ${hub.hubUrl} as ${name}.\n`,
});

async function readToken(hubUrl: string, terminal: Terminal): Promise<string> {
  const token = await readSecret(`Access token for ${hubUrl}: `, terminal);
  if (token === '') throw new UsageError('No token was given. Create one in the settings of your account on the hub.');
  checkToken(token);
  return token;
}

/** Stores the credentials for a hub, and ends the previous login at that hub. */
async function store(hubUrl: string, given: string | Login, terminal: Terminal): Promise<void> {
  const key = hubKey(hubUrl);
  const before = await withCredentialsLock(terminal.env, sleepOf(terminal), () => {
    const credentials = readCredentials(terminal.env);
    writeCredentials(terminal.env, { ...withHub(credentials, key, given), hubUrl: key });
    return credentials.logins[key];
  });
  if (before) await revoke(hubUrl, before, terminal);
}

/** Ends a login at its hub; returns whether the hub confirmed it. */
async function revoke(hubUrl: string, { refreshToken }: Login, { fetch }: Terminal): Promise<boolean> {
  const request = { client_id: CLIENT_ID, token: refreshToken };
  return revokeOauthToken({ hubUrl, fetch, ...request }).then(
    () => true,
    () => false,
  );
}

export const logout = command({
  name: 'logout',
  summary: 'sign out: end the login at a hub, or delete the stored access token for it',
  async run({ url, terminal }) {
    const { hubUrl } = connectionOf({ url }, terminal.env);
    const key = hubKey(hubUrl);
    const ended = await withCredentialsLock(terminal.env, sleepOf(terminal), () => {
      const { hubUrl: last, ...credentials } = readCredentials(terminal.env);
      const { tokens, logins } = credentials;
      if (tokens[key] === undefined && logins[key] === undefined)
        throw new FailedError(`You are not signed in to ${hubUrl}.`);
      const stays = last !== undefined && last !== key;
      writeCredentials(terminal.env, { ...withHub(credentials, key, undefined), ...(stays && { hubUrl: last }) });
      return logins[key];
    });
    return { hubUrl, ...(ended && { revoked: await revoke(hubUrl, ended, terminal) }) };
  },
  say: ({ hubUrl, revoked }) => `Signed out of ${hubUrl}.${REMAINING_STEPS[String(revoked)] ?? ''}\n`,
});

/** What remains to be done after signing out, by whether the hub ended the login; nothing for an access token. */
const REMAINING_STEPS: Readonly<Record<string, string>> = {
  undefined: ' The token itself still works: delete it with `moonbase tokens`.',
  false: ' The hub did not confirm it: end the login in its settings, under Applications.',
};
