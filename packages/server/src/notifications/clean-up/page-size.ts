/** The rows that one transaction of a clean-up deletes, suspends or invalidates. */
export const PAGE = 500;
