import type { Answer } from './answer.ts';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page that says where webhooks are received, for whoever sets them up. */
export function statusPage(paths: readonly string[], open: boolean): Answer {
  const items = paths.map((path) => `<li><code>POST ${escaped(path)}</code></li>`).join('');
  const secret = open ? 'No secret is set: everybody may call them.' : 'A secret is required.';
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Webhooks</title><h1>Webhooks</h1>
<p>Endpoints: ${paths.length}. ${secret}</p><ul>${items}</ul></html>
`,
  };
}
