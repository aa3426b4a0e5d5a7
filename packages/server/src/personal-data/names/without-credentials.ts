import { parseUrl } from '../../platform/outbound/target-url.ts';

/** Returns a URL without the user name and password that it may contain. */
export function withoutCredentials(text: string): string {
  const url = parseUrl(text);
  if (!url || (url.username === '' && url.password === '')) return text;
  url.username = '';
  url.password = '';
  return url.href;
}
