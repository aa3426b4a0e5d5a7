import type { Command, Group } from './command.ts';
import { argumentForm, GLOBAL_OPTIONS, optionForm } from './commander.ts';
import type { Parameter } from './parameter.ts';

/** Returns the generated part of `docs/cli.md`: every command with its arguments and options. */
export function referenceOf(commands: readonly (Command | Group)[]): string {
  const globals = GLOBAL_OPTIONS.map(({ flags, help }) => `| \`${flags}\` | ${cell(help)} |`);
  return [
    '## Commands',
    '',
    'Every command accepts these options, in any position:',
    '',
    ...table(globals),
    '',
    ...commands.flatMap((entry) => section(entry, 'moonbase', 3)),
  ].join('\n');
}

function section(entry: Command | Group, before: string, level: number): string[] {
  const path = `${before} ${entry.name}`;
  if ('commands' in entry) {
    const inner = entry.commands.flatMap((each) => section(each, path, level + 1));
    if (entry.own) return [...section(entry.own, before, level), ...inner];
    return [`${'#'.repeat(level)} ${path}`, '', `${sentence(entry.summary)}`, '', ...inner];
  }
  const args = Object.entries(entry.args);
  const options = Object.entries(entry.options);
  const rows = [
    ...args.map(([name, parameter]) => row(argumentForm(name, parameter), parameter)),
    ...options.map(([name, parameter]) => row(optionForm(name, parameter), parameter)),
  ];
  const form = [path, ...args.map(([name, parameter]) => argumentForm(name, parameter))].join(' ');
  return [
    `${'#'.repeat(level)} ${form.replace(/[<>[\]]/g, '\\$&')}`,
    '',
    sentence(entry.summary),
    ...(entry.details === undefined ? [] : ['', entry.details.replace(/^ {2}/gm, '    ')]),
    ...(rows.length === 0 ? [] : ['', ...table(rows)]),
    '',
  ];
}

const table = (rows: readonly string[]) => ['| | |', '|---|---|', ...rows];

function row(form: string, { help, choices, required, placeholder }: Parameter<unknown>): string {
  const only = choices ? `: ${choices.map((choice) => `\`${choice}\``).join(', ')}` : '';
  const needed = required && placeholder !== undefined ? ' (required)' : '';
  return `| \`${form}\` | ${cell(help)}${only}${needed} |`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
