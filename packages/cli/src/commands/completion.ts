import { type Command, command, type Group } from '../program/command.ts';
import { bashScript, fishScript, zshScript } from '../program/completion.ts';
import { choiceArgument } from '../program/parameter.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Of all commands, this one included: they are known when it runs. */
export const completionOf = (commands: () => readonly (Command | Group)[]): Command =>
  command({
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    details: [
      'For this shell, or in the file that it reads at its start:',
      '',
      '  bash  source <(moonbase completion bash)',
      '  zsh   source <(moonbase completion zsh)     after compinit',
      '  fish  moonbase completion fish | source',
    ].join('\n'),
    args: { shell: choiceArgument(['bash', 'zsh', 'fish'], 'which shell') },
    async run({ args, terminal }) {
      terminal.out(SCRIPTS[args.shell](commands()));
    },
  });
