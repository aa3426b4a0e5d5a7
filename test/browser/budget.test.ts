import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const MAX_SCRIPT = 200_000;

describe.skipIf(noBrowser)('the first load', () => {
  const on = stage(startFilledWorld);

  test.each(['/inbox', '/webhooks', '/webhooks/:id'])(
    'of %s takes at most 200 kB of scripts, compressed',
    async (path) => {
      await using visitor = await on.visit({ token: tokenOf('alice') });
      const { page } = visitor;
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script') sizes.push(request.sizes().then((size) => size.responseBodySize));
      });
      await page.goto(path.replace(':id', on.world.webhookId));
      await page.getByRole('list', { name: /Notifications|Webhooks|Deliveries/ }).waitFor();
      const sum = (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
      expect(sum).toBeGreaterThan(50_000);
      expect(sum).toBeLessThanOrEqual(MAX_SCRIPT);
    },
  );

  test('is cached by the browser: files never change under their names', async () => {
    const page = await (await fetch(on.world.url)).text();
    const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
    const answer = await fetch(on.world.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
