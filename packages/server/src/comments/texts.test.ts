import { expect, test } from 'vitest';
import { MARKDOWN_VERSION } from '../platform/markdown/markdown.ts';
import { ValueNotFetched } from '../platform/queue/fault.ts';
import { createTexts } from './texts.ts';

/** Returns texts whose parser waits until the test lets it answer. */
function slowTexts() {
  const answers: (() => void)[] = [];
  const parse = (raw: string) =>
    new Promise<{ html: string; mentions: string[] }>((resolve) =>
      answers.push(() => resolve({ html: `<p>${raw}</p>`, mentions: [] })),
    );
  return { answers, texts: createTexts({ markdown: { parse, async close() {} } }) };
}

test('a text that this version has not parsed is not parsed within a transaction', async () => {
  const { answers, texts } = slowTexts();
  for (const text of [
    { raw: 'Hello' },
    { raw: 'Hello', parsed: { html: 'old', mentions: [], version: MARKDOWN_VERSION - 1 } },
  ])
    expect(() => texts.parsedNow(text)).toThrow(ValueNotFetched);
  expect(answers).toEqual([]);
});

test('a text is at hand once its parsed form was fetched', async () => {
  const { answers, texts } = slowTexts();
  const text = { raw: 'Hello' };
  let missing: unknown;
  try {
    texts.parsedNow(text);
  } catch (error) {
    missing = error;
  }
  const got = (missing as ValueNotFetched).get();
  answers[0]?.();
  await got;
  expect(texts.parsedNow(text).html).toBe('<p>Hello</p>');
});

test('a text that this version parsed is at hand at once', () => {
  const parsed = { html: '<p>Hello</p>', mentions: ['bob'], version: MARKDOWN_VERSION };
  expect(slowTexts().texts.parsedNow({ raw: 'Hello', parsed })).toBe(parsed);
});
