/** The built-in roles, the one that may most first. */
export const ROLES = ['admin', 'write', 'contributor', 'read', 'no_access'];
