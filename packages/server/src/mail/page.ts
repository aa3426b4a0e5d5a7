import { KINDS, type OptionalKind } from './policy.ts';

const pageOf = (content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails of this hub</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
</head>
<body>
${content}
</body>
</html>
`;

/** The page that asks before it turns a kind off: mail scanners follow links, too. */
export const askPage = (kind: OptionalKind): string =>
  pageOf(`<p>You get mails about ${KINDS[kind].name}.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>No more of these</button></form>`);

/** The page that confirms that a kind is turned off. */
export const donePage = (kind: OptionalKind): string =>
  pageOf(`<p>You will get no more mails about ${KINDS[kind].name}. Other mails are as they were.</p>
<p>Your notification settings turn them on again.</p>`);

/** The address of the page authorizes by itself: these headers keep it out of search engines and other sites. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
} as const;
