import { codeByLine } from './imports.ts';
import { isTypeScript, productSources, type Rule, type SourceTree } from './source-tree.ts';

/** Where texts for people stand: screens, mails and the command line. */
const SHOWN = /^packages\/(?:console\/src|cli\/src|server\/src\/mail)\//;

/** What no text for people says, and what it says instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/May what this one may/i, 'Inherits from'],
  [/What it is for/, 'Description'],
  [/\bsays to be\b/i, 'claims to be'],
  [/\bput out\b/i, 'deprovisioned, or removed'],
  [/What groups give/i, 'Group mappings'],
  [/\bIt sees \d/i, '16 users provisioned'],
  [/\bCall an address\b/i, 'Send an HTTP request'],
  [/\bRepeat a job\b/i, 'Re-run a job'],
  [/\bTell me of\b/i, 'Notify me about'],
  [/['">]Put in\b/, 'Add'],
  [/\bWhat decides\b/i, 'Effective role'],
  [/\b(?:Headers|Body) of the answer\b/i, 'Response headers, Response body'],
  [/\bIt said nothing\b/i, 'No output'],
  [/\bRun on events\b/i, 'Trigger from webhook'],
  [/\bas the system\b/i, 'Theme: System'],
  [/\borganization admits\b/i, 'Token policy'],
  [/\bnever used\b/i, 'Never'],
  [/\bis due beside\b/i, '1,272 queued, 0 overdue'],
  [/\b(?:seamless|powerful|blazing|effortless)(?:ly)?\b/i, 'what it does'],
  [/\b(?:simply|easily|please|oops|sorry|successfully)\b/i, 'the sentence without it'],
];

/** Texts for people have none of the words that an editor has ruled out. */
export const shownWords: Rule = (tree) =>
  shownTexts(tree).flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, at) =>
        WORDS.filter(([word]) => word.test(line)).map(
          ([word, instead]) => `${path}:${at + 1} says ${word.exec(line)?.[0]}; write: ${instead}`,
        ),
      ),
  );

const shownTexts = (tree: SourceTree): [path: string, text: string][] =>
  productSources(tree)
    .filter(([path]) => SHOWN.test(path) && isTypeScript(path))
    .map(([path, text]) => [path, codeByLine(text)]);
