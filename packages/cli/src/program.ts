import type { Hub } from '@moonbase/client/request';
import { Command, CommanderError } from 'commander';
import { apply } from './apply.ts';
import { connectionOf } from './connection.ts';
import { failureOf } from './failure.ts';
import { withoutTokens } from './output.ts';
import type { Terminal } from './terminal.ts';
import { whoami } from './whoami.ts';

interface Options {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** Runs the command with its arguments and gives the exit status. */
export async function run(argv: readonly string[], around: Terminal): Promise<number> {
  const terminal: Terminal = { ...around, err: (text) => around.err(withoutTokens(text)) };
  const asked: { hub?: Hub } = {};
  const connect = (options: Options): Hub => {
    asked.hub = { ...connectionOf(options, terminal.env), fetch: terminal.fetch };
    return asked.hub;
  };
  try {
    await programOf(connect, terminal).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureOf(error, asked.hub?.hubUrl);
    if (!failure) throw error;
    terminal.err(`${failure.lines.join('\n')}\n`);
    return failure.status;
  }
}

function programOf(connect: (options: Options) => Hub, terminal: Terminal): Command {
  const program = new Command('moonbase')
    .description('Works with a Moonbase hub.')
    .option('--url <url>', 'where the hub is (MOONBASE_URL, then HF_ENDPOINT, then http://127.0.0.1:7780)')
    .option('--token <token>', 'access token (MOONBASE_TOKEN, then HF_TOKEN); the variables keep it out of sight')
    .option('--json', 'print the raw answer')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();

  program
    .command('apply')
    .description('fill the hub from a document')
    .requiredOption('-f, --file <path>', 'YAML or JSON; - reads standard input')
    .action((_, command: Command) => {
      const { file, json = false, ...options } = command.optsWithGlobals<Options & { file: string }>();
      return apply(connect(options), { file, json }, terminal);
    });

  program
    .command('whoami')
    .description('show whom the hub takes you for')
    .action((_, command: Command) => {
      const { json = false, ...options } = command.optsWithGlobals<Options>();
      return whoami(connect(options), { json }, terminal);
    });

  return program;
}
