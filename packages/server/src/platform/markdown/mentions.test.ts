import { afterAll, expect, test } from 'vitest';
import { createMarkdown } from './markdown.ts';

const markdown = createMarkdown();
afterAll(() => markdown.close());

const mentionedNames = async (raw: string) => (await markdown.parse(raw)).mentions;

test.each<[string, string, string[]]>([
  ['is a name after @', 'Thank you @alice', ['alice']],
  ['may be at the beginning and before punctuation', '@alice, (@bob): @carol.', ['alice', 'bob', 'carol']],
  ['is found in any letter case, once', '@Alice and @ALICE', ['alice']],
  ['may contain dashes and digits', '@ada-lovelace-1815!', ['ada-lovelace-1815']],
  ['is found in lists, quotes and headings', '# @a1\n> @b2\n\n- @c3', ['a1', 'b2', 'c3']],
  ['is found in emphasis and in the text of links', '**@alice** [see @bob](https://x.test)', ['alice', 'bob']],
  ['is not found in a word with several @', '@alice@bob', []],
  ['is not found in code', '`@alice`', []],
  ['is not found in blocks of code', '```\n@alice\n```\n\n    @bob', []],
  ['is not part of an e-mail address', 'alice@example.com, <bob@example.com>, mailto:x@bob', []],
  ['is not part of a URL or a path', 'https://example.com/@alice <https://example.com/@bob> a/@carol', []],
  ['is not found in the target or title of a link', '[x](https://example.com/@alice "@bob")', []],
  ['is not part of a longer word', '@alice_2 @bob@host é@carol @al', ['al']],
  ['does not begin or end with a dash', '@-alice @bob-', []],
  ['is not a single letter', '@a', []],
  ['is found in HTML, which is text', '<!-- @alice --><b>@bob</b>', ['alice', 'bob']],
  ['is not found in a text without @', 'No at all', []],
])('a mention %s', async (_, text, names) => {
  expect(await mentionedNames(text)).toEqual(names);
});

test('at most fifty names of a text are mentioned', async () => {
  const names = Array.from({ length: 80 }, (_, at) => `user${at}`);
  expect(await mentionedNames(names.map((name) => `@${name}`).join(' '))).toEqual(names.slice(0, 50));
});
