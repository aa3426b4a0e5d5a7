import { afterAll, expect, test } from 'vitest';
import { createMarkdown } from './markdown.ts';

const markdown = createMarkdown();
afterAll(() => markdown.close());

const mentionedNames = async (raw: string) => (await markdown.parse(raw)).mentions;

test.each<[string, string, string[]]>([
  ['a name', 'Thank you @alice', ['alice']],
  ['at the beginning, before punctuation', '@alice, (@bob): @carol.', ['alice', 'bob', 'carol']],
  ['in any letter case, once', '@Alice and @ALICE', ['alice']],
  ['with dashes and digits', '@ada-lovelace-1815!', ['ada-lovelace-1815']],
  ['in lists, quotes, headings, tables of text', '# @a1\n> @b2\n\n- @c3', ['a1', 'b2', 'c3']],
  ['in emphasis and in the text of links', '**@alice** [see @bob](https://x.test)', ['alice', 'bob']],
  ['several times in one word no', '@alice@bob', []],
  ['not in code', '`@alice`', []],
  ['not in code that goes on', '```\n@alice\n```\n\n    @bob', []],
  ['not in an e-mail address', 'alice@example.com, <bob@example.com>, mailto:x@bob', []],
  ['not in addresses', 'https://example.com/@alice <https://example.com/@bob> a/@carol', []],
  ['not where a link leads', '[x](https://example.com/@alice "@bob")', []],
  ['not as part of a longer name', '@alice_2 @bob@host é@carol @al', ['al']],
  ['not with a dash at an end', '@-alice @bob-', []],
  ['not a single letter', '@a', []],
  ['HTML is text', '<!-- @alice --><b>@bob</b>', ['alice', 'bob']],
  ['nothing', 'No at all', []],
])('%s', async (_, text, names) => {
  expect(await mentionedNames(text)).toEqual(names);
});

test('fifty at most', async () => {
  const names = Array.from({ length: 80 }, (_, at) => `user${at}`);
  expect(await mentionedNames(names.map((name) => `@${name}`).join(' '))).toEqual(names.slice(0, 50));
});
