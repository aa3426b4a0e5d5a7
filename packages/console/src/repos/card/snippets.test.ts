import { expect, test } from 'vitest';
import { snippetsFor } from './snippets.ts';

const codes = (place: Parameters<typeof snippetsFor>[0]) =>
  Object.fromEntries(snippetsFor(place).map(({ name, code }) => [name, code]));

test('clients get a model at its main branch without further options', () => {
  const place = {
    type: 'model',
    repo: 'ada/toy',
    revision: 'main',
    hubUrl: 'https://hub.test',
    home: '/ada/toy',
  } as const;
  expect(codes(place)).toEqual({
    'Command line': 'export HF_ENDPOINT=https://hub.test\nhf download ada/toy',
    Python:
      'from huggingface_hub import snapshot_download\n\nfolder = snapshot_download("ada/toy", endpoint="https://hub.test")',
    git: 'git clone https://hub.test/ada/toy',
    curl: 'curl -L -H "Authorization: Bearer $HF_TOKEN" \\\n  https://hub.test/ada/toy/resolve/main/README.md',
  });
});

test('the type and the revision are named where they matter, as one word each', () => {
  const place = {
    type: 'dataset',
    repo: 'ada/toy',
    hubUrl: 'https://hub.test',
    home: '/datasets/ada/toy',
    revision: `it's`,
  } as const;
  expect(codes(place)).toMatchObject({
    'Command line': expect.stringContaining(`hf download ada/toy --repo-type dataset --revision 'it'\\''s'`),
    Python: expect.stringContaining(`repo_type="dataset", revision="it's"`),
    git: `git clone --branch 'it'\\''s' https://hub.test/datasets/ada/toy`,
  });
});
