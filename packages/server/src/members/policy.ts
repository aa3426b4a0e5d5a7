/** The part of an e-mail address after its last @, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether an e-mail address, or having none, is outside of some domains. */
export const isOutside = (email: string | null, domains: readonly string[]): boolean =>
  email === null || !domains.includes(domainOf(email));
