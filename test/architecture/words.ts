import { isTypeScript, type Rule } from './source-tree.ts';

/** Globals whose names mislead a reader when a type takes them. */
const GLOBALS =
  'Array|ArrayBuffer|BigInt|Blob|Boolean|Buffer|Date|Document|Element|Error|Event|File|Function|Headers|Iterator|Map|Node|Number|Object|Promise|Proxy|Record|Reflect|RegExp|Request|Response|Set|String|Symbol|Text|URL';

const RULES: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  {
    pattern:
      /^.*(?:\/\*\*|[.;]) [aA]nswers (?:how|that|those|what|when|whether|which|who|whom|why|false|true|undefined|the id)\b.*$/gm,
    advice: 'a function returns: write "Returns"',
  },
  { pattern: /^.*\b(?:MOST|LONGEST|FEWEST|SHORTEST)(?:_[A-Z]+)*\b.*$/gm, advice: 'a bound is called MAX_ or MIN_' },
  {
    pattern: /^.*\b(?:function|const) (?:retain|create[A-Z]\w*Retention|forgetOld)\w*\b.*$/gm,
    advice: 'what deletes is called delete or prune',
  },
  {
    pattern: new RegExp(`^(?:export )?(?:interface|type|class|function|const) (?:${GLOBALS})\\b.*$`, 'gm'),
    advice: 'the name is that of a global',
  },
];

/** The words that `docs/glossary.md` rules out, as far as a machine can recognize them. */
export const plainWords: Rule = (tree) =>
  [...tree]
    .filter(([path]) => isTypeScript(path) && !path.startsWith('test/architecture/'))
    .flatMap(([path, text]) =>
      RULES.flatMap(({ pattern, advice }) =>
        [...text.matchAll(pattern)].map(([line]) => `${path}: ${advice}: ${line.trim()}`),
      ),
    );
