import type { Hub } from '@moonbase/client/request';
import { Command as Commander, CommanderError } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { type Connection, connectionOf } from '../connection.ts';
import { fetchWithLogin } from '../login/renewal.ts';
import { withoutTokens } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addCommand, addGlobalOptions } from './commander.ts';
import { commands } from './commands.ts';
import { failureOf } from './failure.ts';

/** Runs the command line and returns the exit status. */
export async function run(argv: readonly string[], given: Terminal): Promise<number> {
  const terminal: Terminal = { ...given, err: (text) => given.err(withoutTokens(text)) };
  const state: { hub?: Hub; status: number } = { status: 0 };
  const program = new Commander('moonbase')
    .description('The command line of Moonbase hubs.')
    .version(about.version)
    .enablePositionalOptions()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();
  const execute: Parameters<typeof addCommand>[2] = (command, { url, json, args, options }) =>
    command.execute({
      ...{ terminal, url, json, args, options },
      get hub() {
        state.hub ??= hubOf(connectionOf({ url }, terminal.env), terminal);
        return state.hub;
      },
      end(status) {
        state.status = status;
      },
    });
  addGlobalOptions(program);
  for (const command of commands) addCommand(program, command, execute);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return state.status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureOf(error, state.hub?.hubUrl);
    if (!failure) throw error;
    terminal.err(`${failure.lines.join('\n')}\n`);
    return failure.status;
  }
}

/** Returns the hub for commands to call, with the access token or the stored login. */
const hubOf = ({ hubUrl, accessToken, usesLogin }: Connection, terminal: Terminal): Hub => ({
  ...{ hubUrl, accessToken, fetch: usesLogin ? fetchWithLogin(hubUrl, terminal) : terminal.fetch },
});
