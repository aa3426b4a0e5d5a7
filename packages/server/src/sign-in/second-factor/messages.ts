/** What the audit log says about changes of the own second factor. */
export const MESSAGES = {
  on: 'Set up a second factor',
  renewed: 'Replaced the second factor',
  off: 'Removed the second factor',
  'codes-renewed': 'Replaced the recovery codes',
} as const;
