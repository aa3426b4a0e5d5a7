import { expect, test } from 'vitest';
import { withWord, wordBefore } from './word.ts';

test.each([
  ['@al', { sign: '@', text: 'al', at: 0 }],
  ['Thanks, @al', { sign: '@', text: 'al', at: 8 }],
  ['(see #', { sign: '#', text: '', at: 5 }],
  ['As in #12', { sign: '#', text: '12', at: 6 }],
  ['ada@example', undefined],
  ['@al ', undefined],
  ['# Heading', undefined],
  ['', undefined],
])('in %j the word at the end is %j', (text, word) => {
  expect(wordBefore(text, text.length)).toEqual(word);
});

test('in the middle of a name there is none', () => {
  expect(wordBefore('@alice', 3)).toBeUndefined();
  expect(wordBefore('@al, hello', 3)).toEqual({ sign: '@', text: 'al', at: 0 });
});

test('what is chosen takes the place of the word, and the cursor stands behind it', () => {
  const text = 'Thanks, @al for it';
  const word = wordBefore(text, 11);
  expect(word && withWord(text, word, '@alice')).toEqual(['Thanks, @alice for it', 15]);
});
