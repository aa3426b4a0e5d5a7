import { expect, test } from 'vitest';
import { differences, generateClient, generatedClient } from '../../scripts/generate-client.ts';

test('the client is what `npm run generate` writes', async () => {
  expect(differences(await generateClient(), generatedClient())).toEqual([]);
});

test('a file that was edited, is missing or belongs to no module is named', () => {
  const wanted = new Map([
    ['jobs.ts', 'export const a = 1;\n'],
    ['papers.ts', ''],
    ['users.ts', ''],
  ]);
  const found = new Map([
    ['jobs.ts', 'export const a = 2;\n'],
    ['users.ts', ''],
    ['utils.ts', ''],
  ]);
  expect(differences(wanted, found)).toEqual(['jobs.ts', 'papers.ts', 'utils.ts']);
});
