import { expect, test } from 'vitest';
import { parametersIn, tagsIn, wordsOf } from './filter.ts';

test('search texts become words without case, in which all separators of names are equal', () => {
  expect(wordsOf(['Llama_3.1  chat', 'CHAT', ' '])).toEqual(['llama-3-1', 'chat']);
});

test('tags may be repeated or joined with commas', () => {
  expect(tagsIn('filter', ['license:MIT, text-generation', 'fr', ',', 'FR'])).toEqual([
    'license:mit',
    'text-generation',
    'fr',
  ]);
  expect(tagsIn('filter')).toEqual([]);
  const many = Array.from({ length: 21 }, (_, at) => `t${at}`).join();
  expect(() => tagsIn('filter', [many])).toThrow('query.filter: must have at most 20 values');
  expect(() => wordsOf([many.replaceAll(',', ' ')])).toThrow('query.search');
});

test('a range of parameters has units and may be open', () => {
  expect(parametersIn('min:6B,max:128B')).toEqual({ min: 6e9, max: 128e9 });
  expect(parametersIn('max:1.5m')).toEqual({ min: 0, max: 1.5e6 });
  for (const text of ['', '6B', 'min:', 'min:-1', 'min:6X', 'min:6B;max:7B'])
    expect(() => parametersIn(text)).toThrow('query.num_parameters');
});
