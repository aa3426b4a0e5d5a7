import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { MARKDOWN_LIMITS, type MarkdownLimits } from './limits.ts';
import { addNames } from './names.ts';
import { createParser } from './parser.ts';

const library = markdownIt({ html: false, linkify: true });
const parserWith = (limits: Partial<MarkdownLimits> = {}) =>
  createParser(markdownIt, addNames, { ...MARKDOWN_LIMITS, ...limits });
const parse = parserWith();

const ORDINARY = `# A *heading* with \`code\`

Some text, **strong** and ~~struck~~, with [a link](https://example.com "title"), an ![image *of* it](x.png) and
https://example.com/path?a=b&c="d" or ada@example.com.  
See //example.com, x//example.com ://example.com ///example.com, http:////example.com, http://1https://a.b/c//d.ef.
<b>HTML</b> & entities: &copy; &#x41; \\* "quoted"

> a quote
> > in a quote
>
> - a list
>   1. of lists

- loose

- items

| left | right |
|:-----|------:|
| a    | \`b|\` |
| c    |

\`\`\`js
const a = '<script>';
\`\`\`

    code too

[reference]: /url 'of it'
See [reference] and <https://example.com>.

---
`;

test('an ordinary text is rendered as by the library', () => {
  expect(parse(ORDINARY)?.html).toBe(library.render(ORDINARY));
});

test('any short text is rendered as by the library', () => {
  const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom(...ORDINARY.split(/(\b|\n)/)));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const raw = parts.join('');
      expect(parse(raw)?.html).toBe(library.render(raw));
    }),
    { numRuns: 50 },
  );
});

test.each<[string, Partial<MarkdownLimits>, string, string]>([
  ['tokens', { tokens: 30 }, '- a\n- b', '- a\n'.repeat(20)],
  ['table cells', { cells: 20 }, '|a|b|\n|-|-|\n|c|d|', `${'|a'.repeat(6)}\n${'|-'.repeat(6)}\n|\n|\n|\n`],
  ['links', { links: 3 }, 'https://a.test [b](c)', 'https://a.test '.repeat(4)],
  ['rules', { rules: 1000 }, '> a\n> b', `${'>'.repeat(50)}a\n${'b\n'.repeat(50)}`],
  ['brackets', { steps: 1000 }, '[[a]] [b]', '[a'.repeat(100)],
  ['HTML', { html: { base: 100, factor: 2 } }, '**a** <b>', `[a]: ${'b'.repeat(100)}\n\n${'[a]'.repeat(10)}`],
])('a text within the limit of %s is parsed, and one above it is not', (_, limit, within, above) => {
  const limited = parserWith(limit);
  expect(limited(within)?.html).toBe(library.render(within));
  expect(limited(above)).toBeUndefined();
  expect(parse(above)?.html).toBe(library.render(above));
  // Parsing one text leaves the full budget for the next.
  expect(limited(within)?.html).toBe(library.render(within));
});
