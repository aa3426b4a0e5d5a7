import type { Hub } from '@moonbase/client/request';
import { Command, CommanderError } from 'commander';
import { apply } from './apply.ts';
import { auditHead, exportAudit, verifyAudit } from './audit.ts';
import { backup } from './backup.ts';
import { connectionOf } from './connection.ts';
import { failureOf } from './failure.ts';
import { withoutTokens } from './output.ts';
import { restore } from './restore.ts';
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
  const asked: { hub?: Hub; status: number } = { status: 0 };
  const connect = (options: Options): Hub => {
    asked.hub = { ...connectionOf(options, terminal.env), fetch: terminal.fetch };
    return asked.hub;
  };
  try {
    const end = (status: number) => {
      asked.status = status;
    };
    await programOf({ connect, terminal, end }).parseAsync(argv, { from: 'user' });
    return asked.status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureOf(error, asked.hub?.hubUrl);
    if (!failure) throw error;
    terminal.err(`${failure.lines.join('\n')}\n`);
    return failure.status;
  }
}

interface Around {
  readonly connect: (options: Options) => Hub;
  readonly terminal: Terminal;
  /** The exit status of a command that did its work and has nothing good to say. */
  readonly end: (status: number) => void;
}

function programOf(around: Around): Command {
  const { connect, terminal } = around;
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

  for (const [name, description, command] of [
    ['backup', 'write all that the hub of this machine knows to a file, while it runs', backup],
    ['restore', 'fill the empty database of the hub of this machine from a backup', restore],
  ] as const) {
    program
      .command(name)
      .description(description)
      .argument('<file>')
      .action(async (file: string, _, self: Command) => {
        const { json = false } = self.optsWithGlobals<Options>();
        around.end(await command({ file, json }, terminal));
      });
  }
  addAudit(program.command('audit').description('export and verify audit logs of organizations'), around);
  return program;
}

function addAudit(audit: Command, { connect, terminal, end }: Around): void {
  audit
    .command('export')
    .description('write the audit log of an organization as JSON, newest first')
    .argument('<organization>')
    .option('-q, --query <terms>', 'only what fits, as in "author:ada type:repo.*"')
    .option('-o, --output <path>', 'write to a file instead of standard output')
    .action((name: string, _, command: Command) => {
      const { query: q, output, ...options } = command.optsWithGlobals<Options & { query?: string; output?: string }>();
      return exportAudit(connect(options), { name, q, output }, terminal);
    });

  audit
    .command('head')
    .description('print the hash of the last event, to verify later exports against')
    .argument('<organization>')
    .action((name: string, _, command: Command) => {
      const { json = false, ...options } = command.optsWithGlobals<Options>();
      return auditHead(connect(options), { name, json }, terminal);
    });

  audit
    .command('verify')
    .description('check that an export is as the hub wrote it; asks no hub')
    .argument('<file>', 'what `audit export` wrote; - reads standard input')
    .option('--head <hash>', 'the hash of an event that was noted before, and has to be there')
    .action(async (file: string, _, command: Command) => {
      const { head, json = false } = command.optsWithGlobals<Options & { head?: string }>();
      end(await verifyAudit({ file, head, json }, terminal));
    });
}
