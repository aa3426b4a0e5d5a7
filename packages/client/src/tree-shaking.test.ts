import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Returns the minified bundle of a program that browsers would load. */
async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    ...{ bundle: true, write: false, minify: true, format: 'esm', platform: 'browser', target: 'es2022' },
    conditions: ['source'],
  });
  return outputFiles[0]?.text ?? '';
}

test('importing one function bundles that function and the request code only, from either entry point', async () => {
  const all = await bundled(`export * from '@moonbase/client';`);
  const sizes: Record<string, number> = { 'all of it': all.length };
  for (const from of ['@moonbase/client', '@moonbase/client/profiles']) {
    const one = await bundled(`export { whoAmI } from '${from}';`);
    sizes[`whoAmI of ${from}`] = one.length;
    expect(one).toContain('/api/whoami-v2');
    expect(one.match(/\/api\//g)).toHaveLength(1);
    expect(one.length).toBeLessThan(3600);
  }
  console.info('Bytes, minified:', sizes);
  expect(new Set(Object.values(sizes)).size).toBe(2);
});

test('the bundle imports nothing from Node.js', async () => {
  expect(await bundled(`export * from '@moonbase/client';`)).not.toMatch(/from\s*["']node:|require\(/);
});
