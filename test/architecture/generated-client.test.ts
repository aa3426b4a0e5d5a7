import { expect, test } from 'vitest';
import { differences, generateClient, generatedClient } from '../../scripts/generate-client.ts';

test('the client equals the output of `npm run generate`', async () => {
  expect(differences(await generateClient(), generatedClient())).toEqual([]);
});

test('a file that is edited, missing or without a module is named', () => {
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
