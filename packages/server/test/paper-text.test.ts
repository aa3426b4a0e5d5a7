import { getPaperText } from '@moonbase/client/papers';
import { expect, test } from 'vitest';
import { startHub } from './harness.ts';

test('a paper is read as Markdown without a token, and nothing in it controls a terminal', async () => {
  await using hub = await startHub();
  const summary = 'They are \u001b[31mround.\n\n# Really';
  const authors = [{ name: 'Alice L.' }, { name: 'B\u0007.' }];
  const papers = [
    { id: '2401.01234', title: 'On\nmoons', summary, authors },
    { id: '2401.00001', title: 'Nothing', authors: [] },
  ];
  await hub.apply({ papers });
  const hubUrl = hub.url;
  expect(await getPaperText({ hubUrl, fetch, paperId: '2401.01234' })).toBe(
    '# On moons\n\n- Authors: Alice L., B .\n- arXiv: 2401.01234\n- Added to this hub: 2026-01-05\n\n' +
      '## Abstract\n\nThey are [31mround.\n\n# Really\n',
  );
  expect(await getPaperText({ hubUrl, fetch, paperId: '2401.00001' })).not.toContain('Abstract');
  const answer = await fetch(`${hubUrl}/papers/2401.01234.md`);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect((await fetch(`${hubUrl}/papers/2401.99999.md`)).status).toBe(404);
});
