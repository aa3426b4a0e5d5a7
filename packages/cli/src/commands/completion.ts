import { type Command, command, type Group } from '../program/command.ts';
import { bashScript, fishScript, zshScript } from '../program/completion.ts';
import { choiceArgument } from '../program/parameter.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the completion command for all commands, including itself; `commands` is called when the command runs. */
export const completionOf = (commands: () => readonly (Command | Group)[]): Command =>
  command({
    name: 'completion',
    summary: 'print a shell script that completes commands and options',
    details: [
      'Run it in the current shell, or in its startup file:',
      '',
      '  bash  source <(moonbase completion bash)',
      '  zsh   source <(moonbase completion zsh)     after compinit',
      '  fish  moonbase completion fish | source',
    ].join('\n'),
    args: { shell: choiceArgument(['bash', 'zsh', 'fish'], 'the shell') },
    async run({ args, terminal }) {
      terminal.out(SCRIPTS[args.shell](commands()));
    },
  });
