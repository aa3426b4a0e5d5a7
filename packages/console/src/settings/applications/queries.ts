/** The key of the list of one's own applications. */
export const APPLICATIONS = ['applications'];
/** The key of the list of trusted publishers. */
export const PUBLISHERS = ['trusted-publishers'];
