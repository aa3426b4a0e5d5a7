import { parseUrl } from './target-url.ts';

/** Returns what is wrong with the issuer URL of an OpenID provider, in a few words; undefined if it is valid. */
export function issuerFault(text: string): string | undefined {
  const url = parseUrl(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an https URL';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'must be a URL without user name, query and fragment';
  // These Microsoft endpoints admit any Microsoft account, and their tokens name another issuer.
  if (/^\/(common|organizations|consumers|\{tenantid\})(\/|$)/i.test(decodeURI(url.pathname)))
    return 'must name one tenant: the id of the directory in the place of common or organizations';
  return undefined;
}

/** Returns whether an issuer uses plain http, which is acceptable on this machine only. */
export const isInTheClear = (issuer: string): boolean => issuer.startsWith('http:');
