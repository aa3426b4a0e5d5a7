import { expect, test } from 'vitest';
import { createMarkdown } from './markdown.ts';

const TABLES = `${'|a'.repeat(180)}\n${'|-'.repeat(180)}\n${'|\n'.repeat(362)}\n`.repeat(50);

test('a text that exceeds a limit is shown as plain paragraphs, with its mentions', async () => {
  const exceeded: unknown[] = [];
  await using fixture = opened({ onExceeded: (details) => exceeded.push(details) });
  const { html, mentions } = await fixture.markdown.parse(`<b>"*@ada*" &\r\nmore\r\n \r\n\r\n${TABLES}@bob`, 'alice');
  expect(html.startsWith('<p>&lt;b&gt;&quot;*@ada*&quot; &amp;\nmore</p>\n<p>|a|a')).toBe(true);
  expect(html.endsWith('@bob</p>\n')).toBe(true);
  expect(mentions).toEqual(['ada', 'bob']);
  expect(exceeded).toEqual([{ author: 'alice', length: expect.any(Number) }]);
  expect(await fixture.markdown.parse('*well*', 'alice')).toEqual({ html: '<p><em>well</em></p>\n', mentions: [] });
});

test('a text that takes too long ends the thread, and the next text begins another', async () => {
  await using fixture = opened({ limitMs: 1 });
  const long = '*a _b_ [c](d) `e` '.repeat(3000);
  const made = await Promise.all([1, 2, 3].map((at) => fixture.markdown.parse(long, `user ${at}`)));
  for (const { html } of made) expect(html).toBe(`<p>${long}</p>\n`);
});

test('many texts of one author wait behind those of others, and are refused if there are too many', async () => {
  await using fixture = opened();
  const done: string[] = [];
  const say = async (author: string, text: string) => {
    await fixture.markdown.parse(text, author);
    done.push(text);
  };
  const flood = Array.from({ length: 30 }, (_, at) => say('mallory', `${at}${'m'.repeat(65_536)}`));
  const other = say('ada', 'a');
  const settled = await Promise.allSettled([...flood, other]);
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(9);
  for (const result of refused) expect(result).toMatchObject({ reason: { status: 503 } });
  expect(done.indexOf('a')).toBeLessThanOrEqual(2);
  // The number of short texts has no limit.
  await Promise.all(Array.from({ length: 200 }, () => fixture.markdown.parse('short', 'mallory')));
});

test('a text is refused, and not shown as plain paragraphs, if no thread can begin', async () => {
  const exceeded: unknown[] = [];
  await using fixture = opened({ library: '/nowhere/markdown-it.js', onExceeded: (text) => void exceeded.push(text) });
  for (let time = 0; time < 2; time++)
    await expect(fixture.markdown.parse('*a*')).rejects.toMatchObject({ status: 503 });
  expect(exceeded).toEqual([]);
});

function opened(given: Parameters<typeof createMarkdown>[0] = {}) {
  const markdown = createMarkdown(given);
  return { markdown, [Symbol.asyncDispose]: () => markdown.close() };
}
