import type { Usage } from '@moonbase/client/usage-text';
import { QuotaSection } from './quota-section.tsx';
import { UsageBar } from './usage-bar.tsx';

export const STORAGE_CONSEQUENCE = 'uploads of large files are refused';

/** How much of its storage quota an account uses, for its owner. */
export function StorageSection({ usage }: { readonly usage: Usage }) {
  return (
    <QuotaSection
      title="Large files"
      about="In all repositories and buckets together; a file counts once for each that has it."
    >
      <UsageBar
        usage={usage}
        consequence={STORAGE_CONSEQUENCE}
        remedy="Delete large files, or ask a site administrator for a larger quota."
      />
    </QuotaSection>
  );
}
