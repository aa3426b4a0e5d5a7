import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const payload = { repo: { name: 'it\'s; $(rm -rf /) `x` "y"\n\\' } };
const delivery = { payload } as Parameters<typeof curlOf>[0];
const requestHeaders = { 'content-type': 'application/json', 'webhook-id': '6b012850cca0983524384ab0' };

test('an attempt as a command of curl keeps hostile texts in their places', () => {
  const command = curlOf(delivery, { url: "https://example.com/it's?a=$HOME", requestHeaders });
  const shown = execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\0'`)])
    .toString()
    .split('\0');
  expect(shown).toEqual([
    ...['-X', 'POST', "https://example.com/it's?a=$HOME"],
    ...['-H', 'content-type: application/json', '-H', 'webhook-id: 6b012850cca0983524384ab0'],
    ...['--data-raw', JSON.stringify(payload), ''],
  ]);
});
