import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const payload = { repo: { name: 'it\'s; $(rm -rf /) `x` "y"\n\\' } };
const delivery = { id: '6b012850cca0983524384ab0', payload } as Parameters<typeof curlOf>[0];

test('an attempt as a command of curl keeps hostile texts in their places, and has no secret', () => {
  const at = '2026-01-31T12:00:00.900Z';
  const command = curlOf(delivery, { url: "https://example.com/it's?a=$HOME", at });
  const shown = execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\0'`)])
    .toString()
    .split('\0');
  expect(shown).toEqual([
    ...['-X', 'POST', "https://example.com/it's?a=$HOME"],
    ...['-H', 'content-type: application/json', '-H', 'webhook-id: 6b012850cca0983524384ab0'],
    ...['-H', 'webhook-timestamp: 1769860800', '--data-raw', JSON.stringify(payload), ''],
  ]);
  expect(command).not.toMatch(/secret|signature/i);
});
