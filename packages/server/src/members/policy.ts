/** Returns the part of an e-mail address after the last @, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Returns whether an e-mail address lies outside some domains; a missing address does. */
export const isOutside = (email: string | null, domains: readonly string[]): boolean =>
  email === null || !domains.includes(domainOf(email));
