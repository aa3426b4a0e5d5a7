import { whoAmI } from '@moonbase/client/profiles';
import { checkToken, connectionOf } from '../connection.ts';
import { hubKey, readCredentials, writeCredentials } from '../credentials.ts';
import { command } from '../program/command.ts';
import { FailedError, UsageError } from '../program/failure.ts';
import { readSecret } from '../terminal/asking.ts';

export const login = command({
  name: 'login',
  summary: 'sign in: keep an access token for a hub',
  details:
    'The token is asked for and not shown, or read from standard input:\n\n  moonbase login --url https://hub.example.com < token.txt\n\n' +
    'It is kept in moonbase/credentials.json in your configuration directory, for you only, once the hub has taken it.',
  async run({ hub, terminal }) {
    const token = await readSecret(`Access token for ${hub.hubUrl}: `, terminal);
    if (token === '')
      throw new UsageError('There was no token. The hub has one for you in the settings of your account.');
    checkToken(token);
    const who = await whoAmI({ ...hub, accessToken: token });
    const { tokens } = readCredentials(terminal.env);
    const key = hubKey(hub.hubUrl);
    writeCredentials(terminal.env, { hubUrl: key, tokens: { ...tokens, [key]: token } });
    return who;
  },
  say: ({ name }, { hub }) => `Signed in to ${hub.hubUrl} as ${name}.\n`,
});

export const logout = command({
  name: 'logout',
  summary: 'sign out: forget the access token for a hub',
  async run({ url, terminal }) {
    const { hubUrl } = connectionOf({ url }, terminal.env);
    const { hubUrl: last, tokens } = readCredentials(terminal.env);
    const { [hubKey(hubUrl)]: known, ...others } = tokens;
    if (known === undefined) throw new FailedError(`You are not signed in to ${hubUrl}.`);
    const stays = last !== undefined && last !== hubKey(hubUrl);
    writeCredentials(terminal.env, { ...(stays && { hubUrl: last }), tokens: others });
    return { hubUrl };
  },
  say: ({ hubUrl }) => `Signed out of ${hubUrl}. The token itself still works: delete it with \`moonbase tokens\`.\n`,
});
