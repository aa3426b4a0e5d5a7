import { expect, test } from 'vitest';
import { piecesOf, textOf } from './ansi.ts';

test.each([
  ['plain', [{ text: 'plain' }]],
  ['', []],
  ['\u001b[31mred\u001b[0m plain', [{ text: 'red', color: 'red' }, { text: ' plain' }]],
  [
    '\u001b[1;92mgood\u001b[22m still\u001b[m',
    [
      { text: 'good', color: 'green', isBold: true },
      { text: ' still', color: 'green' },
    ],
  ],
  ['\u001b[38;5;31mone of 256\u001b[39m', [{ text: 'one of 256' }]],
  ['\u001b[38;2;1;2;31mone of all', [{ text: 'one of all' }]],
  ['\u001b[2K\u001b[1Gmoved', [{ text: 'moved' }]],
  ['\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', [{ text: 'link' }]],
  ['10 %\r20 %\r', [{ text: '20 %' }]],
  ['\u001b[33m10 %\u001b[0m\r20 %', [{ text: '20 %' }]],
  ['\u001b[', [{ text: '\u001b[' }]],
  ['<b>\u001b[31m</b>', [{ text: '<b>' }, { text: '</b>', color: 'red' }]],
])('%j shows %j', (line, pieces) => {
  expect(piecesOf(line)).toEqual(pieces);
});

test('a line of unfinished sequences shows nothing', () => {
  expect(textOf('\u001b]'.repeat(50_000))).toBe('');
});
