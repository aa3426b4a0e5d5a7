import { parseJson } from '../../platform/stored-form.ts';
import { type Section, stored } from '../section.ts';
import { auditEventsOf } from './audit-store.ts';

/** The entries in the audit log of the hub that the user is the author of. */
export const auditSections: readonly Section[] = [
  stored('auditLog', {
    rows: auditEventsOf,
    present: ({ seq, body }) => ({ seq, ...parseJson<object>(body) }),
  }),
];
