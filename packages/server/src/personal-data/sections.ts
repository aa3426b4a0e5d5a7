import type { Section } from './section.ts';
import { accessSections } from './sections/access.ts';
import { type AccountSources, accountSections } from './sections/account.ts';
import { auditSections } from './sections/audit.ts';
import { type AutomationSources, automationSections } from './sections/automation.ts';
import { collectionSections } from './sections/collections.ts';
import { followingSections } from './sections/following.ts';
import { inboxSections } from './sections/inbox.ts';
import { repositorySections } from './sections/repositories.ts';
import { type SignInSources, signInSections } from './sections/sign-in.ts';
import { type WritingSources, writingSections } from './sections/writing.ts';

/** What other slices list for their users, in the form of the API. */
export interface Sources extends AccountSources, SignInSources, WritingSources, AutomationSources {}

/** Returns the sections of an export in their order. */
export const sectionsFrom = (sources: Sources): Section[] => [
  ...accountSections(sources),
  ...accessSections,
  ...signInSections(sources),
  ...followingSections,
  ...repositorySections,
  ...collectionSections,
  ...writingSections(sources),
  ...inboxSections,
  ...automationSections(sources),
  ...auditSections,
];
