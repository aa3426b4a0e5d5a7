import type { ByteText } from '../../platform/git/objects/byte-text.ts';
import type { Effort } from './effort.ts';
import { compileGlob, type Glob, matchesGlob } from './glob.ts';

export interface Rule {
  readonly pattern: ByteText;
  /** Whether only folders can match, as with a slash at the end. */
  readonly folderOnly: boolean;
}

/** A rule with wildcards that cannot be looked up. */
interface WildRule {
  readonly at: number;
  readonly isPath: boolean;
  /** What a path begins with before the first wildcard. */
  readonly prefix: ByteText;
  readonly rest: ByteText;
  /** Compiled when it is first tried; undefined if it can match nothing. */
  glob?: Glob | undefined | 'unknown';
}

/** Reading, or trying, a rule costs as much as so many steps. */
const STEPS_OF_RULE = 20;

const SPECIAL = /[*?[\\]/;
const SUFFIX = /^\*([^*?[\\]+)$/;
const ANY_FOLDER = '**/';

/** Reads a pattern as the rules of git do: without the slash at the end, and without a negation. */
export function ruleOf(text: ByteText): Rule {
  const folderOnly = text.endsWith('/');
  return { pattern: folderOnly ? text.slice(0, -1) : text, folderOnly };
}

/** Lists by a key; ascending. */
type Lists<T> = Map<string, T[]>;

function addTo<T>(lists: Lists<T>, key: string, item: T): void {
  const known = lists.get(key);
  if (known) known.push(item);
  else lists.set(key, [item]);
}

const ofPath = (text: string): string => `/${text}`;
const beginsWith = (text: ByteText): string => `${text[0]}*`;
const endsWith = (text: ByteText): string => `*${text.at(-1)}`;

/** Returns a key that a rule shares with all paths which it can match. */
function keyOf({ isPath, prefix, rest }: WildRule): string {
  if (isPath) return ofPath(prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))));
  if (!/^[*?[\\]/.test(rest)) return beginsWith(rest);
  return /^[^[\\]*[^*?[\\]$/.test(rest) ? endsWith(rest) : '';
}

function* keysOf(path: ByteText, name: ByteText, effort: Effort): Generator<string> {
  yield* ['', beginsWith(name), endsWith(name), ofPath('')];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    effort.spend(1 + (slash >> 3));
    yield ofPath(path.slice(0, slash));
  }
}

/** Finds which of many rules match a path: most are looked up by a part of the path, and only few tried in turn. */
export async function createRuleSet(rules: readonly Rule[], effort: Effort) {
  const paths: Lists<number> = new Map();
  const names: Lists<number> = new Map();
  const suffixes: Lists<number> = new Map();
  const wild: Lists<WildRule> = new Map();
  for (const [at, { pattern }] of rules.entries()) {
    add(pattern, at);
    const waiting = effort.pause();
    if (waiting) await waiting;
  }
  const suffixLengths = [...new Set([...suffixes.keys()].map(({ length }) => length))];
  effort.spend(rules.length * STEPS_OF_RULE);

  function add(pattern: ByteText, at: number): void {
    if (!pattern.includes('/')) {
      addName(pattern, at);
      return;
    }
    const path = pattern.startsWith('/') ? pattern.slice(1) : pattern;
    const special = path.search(SPECIAL);
    if (special < 0) addTo(paths, path, at);
    else if (path.startsWith(ANY_FOLDER) && path.lastIndexOf('/') === 2) addName(path.slice(ANY_FOLDER.length), at);
    // Git compares the text before the first wildcard alone, so that two stars after it are at a beginning.
    else addWild({ at, isPath: true, prefix: path.slice(0, special), rest: path.slice(special) });
  }

  function addName(pattern: ByteText, at: number): void {
    const suffix = SUFFIX.exec(pattern)?.[1];
    if (!SPECIAL.test(pattern)) addTo(names, pattern, at);
    else if (suffix !== undefined) addTo(suffixes, suffix, at);
    else addWild({ at, isPath: false, prefix: '', rest: pattern });
  }

  function addWild(rule: Omit<WildRule, 'glob'>): void {
    addTo(wild, keyOf(rule), { ...rule, glob: 'unknown' });
  }

  function matches(rule: WildRule, path: ByteText, name: ByteText): boolean {
    const text = rule.isPath ? path : name;
    if (!text.startsWith(rule.prefix)) return false;
    if (rule.glob === 'unknown') rule.glob = compileGlob(rule.rest, rule.isPath);
    return rule.glob !== undefined && matchesGlob(rule.glob, text, rule.prefix.length, effort);
  }

  return {
    /** Returns the position of the last rule before a position that matches a path, or -1. */
    lastMatch(path: ByteText, isFolder: boolean, before = rules.length): number {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const counts = (at: number) => at < before && (isFolder || rules[at]?.folderOnly === false);
      let last = -1;
      const look = (found: readonly number[] | undefined) => {
        const position = found?.findLastIndex(counts) ?? -1;
        effort.spend(1 + (found ? found.length - position : 0));
        last = Math.max(last, found?.[position] ?? -1);
      };
      look(names.get(name));
      // The look-up of a path reads all of it.
      effort.spend(path.length >> 3);
      look(paths.get(path));
      for (const length of suffixLengths) if (length <= name.length) look(suffixes.get(name.slice(-length)));
      if (wild.size === 0) return last;
      for (const key of keysOf(path, name, effort)) {
        const tried = wild.get(key) ?? [];
        for (let index = tried.length - 1; index >= 0; index--) {
          const rule = tried[index];
          if (!rule || rule.at <= last) break;
          effort.spend(STEPS_OF_RULE);
          if (counts(rule.at) && matches(rule, path, name)) last = rule.at;
        }
      }
      return last;
    },
  };
}
