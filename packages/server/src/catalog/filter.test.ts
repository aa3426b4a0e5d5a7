import { expect, test } from 'vitest';
import { parametersIn, tagsIn, wordsOf } from './filter.ts';

test('search texts become words without case, in which all separators of names are equal', () => {
  expect(wordsOf(['Llama_3.1  chat', 'CHAT', ' '])).toEqual(['llama-3-1', 'chat']);
});

test('tags may be repeated or joined with commas', () => {
  expect(tagsIn(['license:MIT, text-generation', 'fr', ','])).toEqual(['license:mit', 'text-generation', 'fr']);
  expect(tagsIn()).toEqual([]);
});

test('a range of parameters has units and may be open', () => {
  expect(parametersIn('min:6B,max:128B')).toEqual({ min: 6e9, max: 128e9 });
  expect(parametersIn('max:1.5m')).toEqual({ min: 0, max: 1.5e6 });
  for (const text of ['', '6B', 'min:', 'min:-1', 'min:6X', 'min:6B;max:7B'])
    expect(() => parametersIn(text)).toThrow('query.num_parameters');
});
