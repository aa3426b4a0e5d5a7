/** The query key of the user's applications. */
export const APPLICATIONS = ['applications'];
/** The query key of the user's trusted publishers. */
export const PUBLISHERS = ['trusted-publishers'];
