import { mapCooperatively } from '../../platform/cooperative.ts';
import { type ByteText, toByteText } from '../../platform/git/objects/byte-text.ts';
import { type AttributeLine, attributeLineIn, type Setting } from './attribute-lines.ts';
import type { Effort } from './effort.ts';
import { linesOf } from './lines.ts';
import { createRuleSet, type Rule, ruleOf } from './rule-set.ts';

interface AttributeRule extends Rule {
  readonly settings: readonly Setting[];
}

const FILTER = 'filter';

/**
 * Returns a function that tells whether `.gitattributes` makes a path a large file; the last matching rule wins, and
 * undefined means no rule.
 */
export async function lfsFilter(
  text: ByteText,
  effort: Effort,
): Promise<(path: string) => Promise<boolean | undefined>> {
  const lines = (await mapCooperatively(linesOf(text), attributeLineIn)).filter((line) => line !== undefined);
  if (lines.length === 0) return async () => undefined;
  const macros = new Map<string, readonly Setting[]>();
  for (const { macro, settings } of lines) if (macro !== undefined) macros.set(macro, settings);
  const rules = lines.flatMap((line) => ruleIn(line, macros));
  const set = await createRuleSet(rules, effort);

  return async (path) => {
    const known = new Set<string>();
    const bytes = toByteText(path);
    for (let at = set.lastMatch(bytes, false); at >= 0; at = set.lastMatch(bytes, false, at)) {
      await effort.pause();
      const settings = [...(rules[at]?.settings ?? [])];
      // The last setting of an attribute counts, and one that is a macro stands for those of the macro.
      for (let setting = settings.pop(); setting; setting = settings.pop()) {
        const { name, to } = setting;
        effort.spend(1);
        if (known.has(name)) continue;
        if (name === FILTER) return to === 'lfs';
        known.add(name);
        if (to === true) settings.push(...(macros.get(name) ?? []));
      }
    }
    return undefined;
  };
}

/** Returns the rule of a line, if it may set the filter of a file. */
function ruleIn({ pattern, settings }: AttributeLine, macros: ReadonlyMap<string, unknown>): AttributeRule[] {
  if (pattern === undefined || pattern.startsWith('!')) return [];
  const rule = { ...ruleOf(pattern), settings };
  const decides = settings.some(({ name }) => name === FILTER || macros.has(name));
  return decides && !rule.folderOnly ? [rule] : [];
}
