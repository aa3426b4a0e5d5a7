import { mapCooperatively } from '../../platform/cooperative.ts';
import { type ByteText, toByteText } from '../../platform/git/objects/byte-text.ts';
import type { Effort } from './effort.ts';
import { linesOf } from './lines.ts';
import { createRuleSet, type Rule, ruleOf } from './rule-set.ts';

interface IgnoreRule extends Rule {
  readonly ignored: boolean;
}

/**
 * Returns a function that tells whether the texts of `.gitignore` files of one folder exclude a path; the last rule that
 * matches the file or a parent folder wins.
 */
export async function ignoreFilter(
  texts: readonly ByteText[],
  effort: Effort,
): Promise<(path: string) => Promise<boolean>> {
  const rules = (await mapCooperatively(texts.flatMap(linesOf), ruleIn)).filter((rule) => rule !== undefined);
  if (rules.length === 0) return async () => false;
  const set = await createRuleSet(rules, effort);
  const isIgnored = (path: ByteText, isFolder: boolean) => rules[set.lastMatch(path, isFolder)]?.ignored === true;
  /** Whether each folder, or one above it, is excluded. */
  const folders = new Map<ByteText, boolean>();

  return async (text) => {
    const path = toByteText(text);
    const unknown: ByteText[] = [];
    let folder = folderOf(path);
    for (; folder !== undefined && !folders.has(folder); folder = folderOf(folder)) unknown.push(folder);
    let ignored = folder !== undefined && folders.get(folder) === true;
    for (const each of unknown.reverse()) {
      await effort.pause();
      ignored ||= isIgnored(each, true);
      folders.set(each, ignored);
    }
    // A file in an excluded folder cannot be included again.
    return ignored || isIgnored(path, false);
  };
}

function folderOf(path: ByteText): ByteText | undefined {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? undefined : path.slice(0, slash);
}

function ruleIn(line: ByteText): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined;
  const ignored = !line.startsWith('!');
  return { ...ruleOf(withoutEnd(ignored ? line : line.slice(1))), ignored };
}

/** Removes the blanks at the end of a line, except for one after a backslash. */
function withoutEnd(line: ByteText): ByteText {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at++;
    end = at + 1;
  }
  return line.slice(0, end);
}
