import { expect } from 'vitest';
import type { Visitor } from './visitor.ts';

/** A script that counts its runs in `window.ran`. */
const RUN = 'window.ran=(window.ran||0)+1';

/** Each text is at most 199 characters, so that it fits all names that are free text. */
export const HOSTILE = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `"><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">press</a>`,
  `javascript:${RUN}`,
  `' autofocus onfocus='${RUN}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `</title></textarea></style></script><script>${RUN}</script>`,
  `\u202egnp.exe ${'W'.repeat(150)}`,
] as const;

export const MARKUP = HOSTILE.slice(0, 8).join(' ');
export const MARKDOWN = [
  MARKUP,
  `[press](javascript:${RUN})`,
  `[press](  java&#115;cript:${RUN})`,
  `[press](data:text/html,<script>${RUN}</script>)`,
  `![x](x"onerror="${RUN})`,
  `<https://example.com/"onmouseover="${RUN}>`,
  `\`\`\`html\n${MARKUP}\n\`\`\``,
  `![picture](https://elsewhere.example/spy.png)`,
].join('\n\n');

/**
 * Visits pages: no markup may run, make requests to other hosts, violate the content security policy, or make the page
 * wider than the window. The first entry of each page is its path, the others are texts that it must show.
 */
export async function lookAt(
  { page, complaints }: Visitor,
  hubUrl: string,
  pages: readonly (readonly [path: string, ...shows: string[]])[],
): Promise<void> {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(hubUrl) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.addInitScript(
    'window.refused=[];addEventListener("securitypolicyviolation",({violatedDirective:d,blockedURI:u})=>refused.push(d+" "+u))',
  );
  for (const [path, ...shows] of pages) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.locator('main details').evaluateAll((all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    for (const text of shows) await page.locator('main').getByText(text).first().waitFor();
    const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const found = await page.evaluate(
      `({ ran: window.ran, refused, wide: document.documentElement.scrollWidth,
          parts: document.querySelectorAll('main :is(script,iframe,object,embed,[onerror],[onload],[onfocus])').length })`,
    );
    expect([path, found]).toEqual([path, { ran: undefined, refused: [], wide: page.viewportSize()?.width, parts: 0 }]);
    expect([path, links.filter((href) => /^\s*(java|data)/i.test(href ?? ''))]).toEqual([path, []]);
  }
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
}
