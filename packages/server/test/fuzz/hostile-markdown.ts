import fc from 'fast-check';

const LENGTH = 65_000;

/** Repeats a part to the length limit of a comment. */
const filled = (part: string, length = LENGTH): string =>
  part === '' ? '' : part.repeat(Math.ceil(length / part.length)).slice(0, length);

const nested = (open: string, middle: string, close: string): string => {
  const times = Math.floor((LENGTH - middle.length) / (open.length + close.length));
  return open.repeat(times) + middle + close.repeat(times);
};

const numbered = (line: (at: number) => string): string => {
  const lines: string[] = [];
  for (let length = 0; length < LENGTH; length += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join('').slice(0, LENGTH);
};

const tables = (columns: number, rows: number): string =>
  filled(`${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|\n'.repeat(rows)}\n`);

const half = (first: string, second: string): string => filled(first, LENGTH / 2) + filled(second, LENGTH / 2);

/** One text of each kind that has been expensive in some Markdown parser, and of some that may be expensive. */
export const HOSTILE_MARKDOWN: Readonly<Record<string, () => string>> = {
  'tables of 65,536 cells': () => `${tables(180, 362)}@bob`,
  'one table': () => tables(100, 32_000),
  'a table of one row': () => `${'|'.repeat(21_000)}\n${'|-'.repeat(21_000)}\n`,
  'aligned tables': () => filled(`${'|a'.repeat(60)}\n${'|:-:'.repeat(60)}\n${'|\n'.repeat(300)}\n`),
  'tables in quotes': () => filled(`${'> '.repeat(20)}|a|b\n${'> '.repeat(20)}|-|-\n`),
  'rows of delimiters': () => filled(`${'|-'.repeat(300)}\n`),
  'heads of tables': () => filled('|a|b|\n|-|-|\n'),
  'cells of mentions': () => filled('|@bob|@amy|\n|-|-|\n|@eve|@joe|\n\n'),
  quotes: () => filled('> '),
  'quotes of quotes': () => filled(`${'>'.repeat(100)}a\n\n`),
  'quotes that go on': () => `${filled('>', 200)}${filled('a\n')}`,
  'quotes and lists': () => filled('> - '),
  lists: () => filled('- '),
  'lists in lists': () => numbered((at) => `${' '.repeat(2 * (at % 50))}- a\n`),
  'lists that grow': () => numbered((at) => `${' '.repeat(at)}- a\n`),
  'numbered lists': () => numbered((at) => `${at}. a\n`),
  'empty items': () => filled('-\n'),
  'items with space between': () => filled('* a\n\n'),
  'rules and lists': () => filled('* * *\n- - a\n'),
  brackets: () => filled('['),
  'closing brackets': () => filled(']'),
  'nested brackets': () => nested('[', 'a', ']'),
  'brackets with text': () => filled('[a'),
  'nested links': () => nested('[', 'a', '](b)'),
  'nested images': () => nested('![', 'a', '](b)'),
  'open images': () => filled('![['),
  'open links': () => filled('[a](b'),
  'open titles': () => filled('[a](b "'),
  'open titles of both kinds': () => filled('[a](b \'[a](b "[a](b ('),
  'open destinations': () => filled('[a](<b'),
  'parentheses in destinations': () => `[a](${nested('(', 'b', ')')})`,
  'definitions of links': () => numbered((at) => `[${at}]: a\n`),
  'definitions without space': () => filled('[a]: b '),
  'definitions over lines': () => filled('[a\n'),
  'definitions with open titles': () => filled('[a]: b "\n'),
  'references of a long link': () => `[a]: ${filled('b', 20_000)}\n\n${filled('[a]', 44_000)}`,
  'references of a long title': () => `[a]: b "${filled('語', 20_000)}"\n\n${filled('[a]', 44_000)}`,
  'references of many': () => numbered((at) => `[a${at}]: b\n\n[a${at}]\n\n`),
  'references with long labels': () => `[${filled('a', 900)}]: b\n\n${filled(`[${filled('ẞ', 900)}]`, 60_000)}`,
  'references to nothing': () => filled('[a][b]'),
  'backtick runs': () => numbered((at) => `a${'`'.repeat(at % 360)}`),
  'growing backtick runs': () => numbered((at) => `a${'`'.repeat(at)}`),
  backticks: () => filled('`a'),
  'escaped backticks': () => filled('\\`'),
  fences: () => filled('```\n'),
  'open fences': () => filled('> ```a\n'),
  'tilde fences': () => numbered((at) => `${'~'.repeat(3 + (at % 300))}\n`),
  stars: () => filled('*'),
  'stars and text': () => filled('*a '),
  'stars and text that close': () => filled('a* '),
  'emphasis of all kinds': () => filled('*a_ '),
  'emphasis that closes late': () => half('*a ', 'b* '),
  'strong that closes late': () => half('**a ', 'b** '),
  'emphasis in threes': () => filled('***a*_b__c~~'),
  'nested emphasis': () => nested('*a **a ', 'b', ' a** a*'),
  underscores: () => filled('_a_'),
  tildes: () => half('~~a', 'b~~~'),
  'single tildes': () => filled('~a'),
  'web addresses': () => filled('http://a.'),
  'web addresses with spaces': () => filled('http://a.b '),
  'web addresses one after another': () => filled('http://a.b/'),
  'web addresses in web addresses': () => `<# ${filled('http://1https://a.b/z')}`,
  'long web address': () => `http://a.b/${filled('c')}`,
  'brackets in a web address': () => `http://a.b/${filled('((((')}`,
  'brackets in web addresses': () => filled(`http://a.b/${'('.repeat(900)} `),
  'nested brackets in web addresses': () => filled('http://a.b/([{([{([{)}])}])}])}]'),
  'quotes in web addresses': () => filled('http://a.b/"\'"\''),
  'dashes in web addresses': () => filled('http://a-.b-'),
  'hosts without end': () => filled(`http://${'a.'.repeat(40)}`),
  'hosts of dashes': () => filled(`http://${'a-'.repeat(40)}_ `),
  slashes: () => filled('//'),
  'slashes and names': () => filled('//a.b'),
  schemas: () => filled('http:https:ftp:mailto:'),
  'addresses without schema': () => filled('www.'),
  'bare domains': () => filled('a.com '),
  'ip addresses': () => filled('http://[::1'),
  'e-mail addresses': () => filled('a@b.c'),
  'e-mail addresses with spaces': () => filled('a@b.co '),
  'long e-mail names': () => filled(`${'a'.repeat(64)}@`),
  'e-mail hosts without end': () => filled('@a.'),
  'e-mail hosts that fail': () => filled(`@${'a.'.repeat(30)}_`),
  'quotation marks and at': () => `${filled('"')}@a.b`,
  mailto: () => filled('mailto:a@'),
  'at signs': () => filled('@'),
  mentions: () => filled('@a'),
  'mentions with spaces': () => filled('@bob '),
  'long mentions': () => filled(` @${'a'.repeat(42)}_`),
  'mentions of dashes': () => filled(' @a-a-a-a-a-a-a-a-a-a-a--'),
  entities: () => filled('&amp;'),
  'open entities': () => filled('&'),
  'entities that are none': () => filled(`&${'a'.repeat(31)}`),
  'number entities': () => filled('&#x10ffff;'),
  'large number entities': () => filled('&#9999999'),
  'open tags': () => filled('<'),
  tags: () => filled('<b>'),
  'closed tags': () => filled('<a></a>'),
  'open comments': () => filled('<!--'),
  'open instructions': () => filled('<?'),
  'open declarations': () => filled('<!A'),
  'open data': () => filled('<![CDATA['),
  attributes: () => `<a ${filled('a=')}`,
  autolinks: () => filled('<http://a>'),
  'open autolinks': () => filled('<http://a'),
  'e-mail autolinks': () => filled('<a@b>'),
  'long e-mail autolink': () => `<${filled('a.')}@a>`,
  'e-mail autolink with a long host': () => `<a@${filled('a-a.')}->`,
  'long autolink': () => `<a:${filled('%')}>`,
  'percent signs': () => filled('[a](%'),
  'letters to encode': () => filled('[a](語)'),
  'one link to encode': () => `[a](${filled('語')})`,
  'a long line': () => filled('a'),
  'a long line of words': () => filled('a '),
  'quotation marks': () => filled('"'),
  'line ends': () => filled('\n'),
  'carriage returns': () => filled('\r'),
  lines: () => filled('a\n'),
  paragraphs: () => filled('a\n\n'),
  spaces: () => filled(' '),
  'spaces before line ends': () => filled('a   \n'),
  'a line of spaces in text': () => `a${filled(' ')}b`,
  tabs: () => filled('\t'),
  'tabs and items': () => filled('-\t'),
  'spaces and quotes': () => filled('   >\t'),
  backslashes: () => filled('\\'),
  'hard breaks': () => filled('\\\n'),
  headings: () => filled('# a\n'),
  'open headings': () => filled('#'),
  'closed headings': () => `# a ${filled('#')}b`,
  'underlined headings': () => filled('a\n=\n'),
  'many lines under no heading': () => `${filled('a\n')}b`,
  rules: () => filled('---\n'),
  'code by indentation': () => filled('    a\n\n'),
  'high surrogates': () => filled('\ud83d'),
  'low surrogates': () => filled('\ude00'),
  'surrogates in emphasis': () => filled('*\ud83d\ude00_\ud83d'),
  'surrogates in links': () => filled('[a](\ud83d)'),
  'surrogates in web addresses': () => filled('http://\ud83d.a/\ude00'),
  'letters beyond ASCII': () => filled('語ä😀 '),
  'letters that grow in another case': () => filled('[ŉ]: ŉ\n\n[ŉ]'),
  'combining letters': () => `a${filled('\u0301')}`,
  controls: () => filled('\u0001\u0002\u001f\u007f'),
  'zero width': () => filled('\u200b\u200d\ufeff'),
  'wide spaces': () => filled('\u00a0\u3000\u2028'),
  'right to left': () => filled('\u202e\u2066a'),
  'replacement characters': () => filled('\ufffd&#0;'),
};

const PARTS = [
  ...'`*_~[]()<>|#-+=!&@:/\\"\'.,; \t\n\r%{}^$0123456789aAzé語\ud800\u0001\u00a0\u200b'.split(''),
  '😀',
  ...[
    '  \n',
    '\n\n',
    '    ',
    '> ',
    '- ',
    '1. ',
    '# ',
    '```',
    '~~~',
    '---\n',
    '|-|-|\n',
    '|a|b|\n',
    '](',
    ']: ',
    '![',
    '&amp;',
  ],
  ...[
    '&#35;',
    'http://',
    'https://a.b/',
    'www.a.com',
    'a@b.co',
    'mailto:',
    '@bob',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '<http://a>',
    '**',
    '__',
  ],
];

const fragment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PARTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', ' ', '[', '>', '*', '`')
      .chain((part) => fc.nat(300).map((times) => part.repeat(times))),
  },
);
const piece = fc.array(fragment, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('').replaceAll('\0', ''));

/** Generates documents of 65 kB from meaningful parts of Markdown: repeated, nested, mixed. */
export const hostileMarkdown: fc.Arbitrary<string> = fc.oneof(
  piece.map((part) => filled(part)),
  fc.tuple(piece, piece, piece).map(([open, middle, close]) => nested(open, middle, close)),
  fc.tuple(piece, piece).map(([first, second]) => half(first, second)),
  fc
    .array(fc.tuple(piece, fc.nat(4000)), { minLength: 2, maxLength: 8 })
    .map((parts) => filled(parts.map(([part, length]) => filled(part, length)).join('\n\n'))),
  fc
    .tuple(piece, fc.nat(90), fc.nat(400))
    .map(([part, indent, width]) =>
      numbered((at) => `${' '.repeat(at % (indent + 1))}${filled(part, 1 + ((at * 7) % (width + 1)))}\n`),
    ),
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.nat(2000), piece)
    .map(([columns, rows, cell]) =>
      filled(`${`|${cell.replaceAll('\n', ' ')}`.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|\n'.repeat(rows)}\n`),
    ),
  fc.array(piece, { minLength: 50, maxLength: 400 }).map((parts) => filled(parts.join(''))),
);
