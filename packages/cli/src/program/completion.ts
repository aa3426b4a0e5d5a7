import type { Command, Group } from './command.ts';
import { ALIASES, GLOBAL_OPTIONS, kebab } from './commander.ts';
import type { Parameter } from './parameter.ts';

/** The possible continuations of a command line: words with their descriptions, options, and values of options. */
interface Place {
  /** The preceding words, separated by blanks; empty for `moonbase` itself. */
  readonly path: string;
  readonly words: readonly Word[];
  /** The options that take a value, with the possible values if there is a fixed set. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

interface Word {
  readonly word: string;
  readonly help: string;
}

const GLOBALS: readonly Word[] = [
  ...GLOBAL_OPTIONS.map(({ flags, help }) => ({ word: flags.split(' ')[0] ?? '', help })),
  { word: '--help', help: 'show its usage' },
];

/** Returns all places, beginning with the program itself. */
export function placesOf(commands: readonly (Command | Group)[]): Place[] {
  return inside('', commands);
}

function inside(path: string, entries: readonly (Command | Group)[], own?: Command): Place[] {
  const names = entries.map(({ name, summary }) => ({ word: name, help: summary }));
  const here = own ? leaf(path, own) : { words: GLOBALS, values: { '--url': [] } };
  const below = entries.flatMap((entry) => {
    const names = [entry.name, ALIASES[entry.name]].filter((name) => name !== undefined);
    const places = names.map((name) => `${path} ${name}`.trim());
    return places.flatMap((here) =>
      'commands' in entry ? inside(here, entry.commands, entry.own) : [leaf(here, entry)],
    );
  });
  return [{ path, words: [...names, ...here.words], values: here.values }, ...below];
}

function leaf(path: string, { args, options }: Command): Place {
  const names = Object.entries(options);
  const taking = names.filter(([, { placeholder }]) => placeholder !== undefined);
  const forms = ([name, { short }]: [string, Parameter<unknown>]) => [
    `--${kebab(name)}`,
    ...(short ? [`-${short}`] : []),
  ];
  const argued = Object.values(args).flatMap(({ choices = [] }) => choices.map((word) => ({ word, help: '' })));
  return {
    path,
    words: [...argued, ...names.map(([name, { help }]) => ({ word: `--${kebab(name)}`, help })), ...GLOBALS],
    values: {
      '--url': [],
      ...Object.fromEntries(taking.flatMap((each) => forms(each).map((form) => [form, each[1].choices ?? []]))),
    },
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const list = (words: readonly string[]): string => words.map(quoted).join(' ');

/** Returns what bash and zsh share: a pattern of all places, and `case` lines with the values and words at each. */
function cases(places: readonly Place[]): { readonly paths: string; readonly values: string; readonly words: string } {
  const line = (pattern: string, words: readonly string[]) => `    ${quoted(pattern)}) found=(${list(words)}) ;;`;
  return {
    paths: places.map(({ path }) => quoted(path)).join('|'),
    values: places
      .flatMap(({ path, values }) => Object.entries(values).map(([option, words]) => line(`${path}:${option}`, words)))
      .join('\n'),
    words: places
      .map(({ path, words }) =>
        line(
          path,
          words.map(({ word }) => word),
        ),
      )
      .join('\n'),
  };
}

/** Returns the shell code that walks the words before the cursor: sets `place`, and `option` if its value is next. */
function walk(places: readonly Place[]): string {
  const { paths, values, words } = cases(places);
  return `  local place='' option='' word
  local -a found
  for word in "\${before[@]}"; do
    if [[ -n $option ]]; then option=''; continue; fi
    case "$place\${place:+ }$word" in ${paths}) place="$place\${place:+ }$word"; continue ;; esac
    [[ $word == -* ]] && _moonbase_takes "$place:$word" && option=$word
  done
  if [[ -n $option ]]; then case "$place:$option" in
${values}
  esac; else case "$place" in
${words}
  esac; fi`;
}

function takes(places: readonly Place[]): string {
  const all = places.flatMap(({ path, values }) => Object.keys(values).map((option) => quoted(`${path}:${option}`)));
  return `_moonbase_takes() {\n  case "$1" in\n    ${all.join('|')}) return 0 ;;\n  esac\n  return 1\n}`;
}

export function bashScript(commands: readonly (Command | Group)[]): string {
  const places = placesOf(commands);
  return `# Completion of moonbase for bash.
${takes(places)}

_moonbase() {
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(places)}
  COMPREPLY=($(compgen -W "\${found[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _moonbase moonbase
`;
}

export function zshScript(commands: readonly (Command | Group)[]): string {
  const places = placesOf(commands);
  return `#compdef moonbase
# Completion of moonbase for zsh.
${takes(places)}

_moonbase() {
  local -a before
  before=("\${(@)words[2,CURRENT-1]}")
${walk(places)}
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _moonbase moonbase
`;
}

export function fishScript(commands: readonly (Command | Group)[]): string {
  const places = placesOf(commands);
  const lines = places.flatMap(({ path, words, values }) => {
    const at = `complete -c moonbase -n ${quoted(`__moonbase_at ${quoted(path)}`)}`;
    return words.map(({ word, help }) => {
      const about = help === '' ? '' : ` -d ${quoted(help)}`;
      if (!word.startsWith('--')) return `${at} -f -a ${quoted(word)}${about}`;
      const { [word]: choices } = values;
      const value = choices === undefined ? '' : choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r';
      return `${at} -l ${word.slice(2)}${value}${about}`;
    });
  });
  return `# Completion of moonbase for fish.
function __moonbase_at
    set -l place
    set -l paths ${list(places.map(({ path }) => path).filter(Boolean))}
    for word in (commandline -opc)[2..]
        set -l next (string trim -- "$place $word")
        contains -- "$next" $paths; and set place "$next"
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}
