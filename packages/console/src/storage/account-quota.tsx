import { Stack } from '@mantine/core';
import { getQuota, type AccountQuota as Quotas, updateQuota } from '@moonbase/client/quotas';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Loaded, Loading } from '../ui/states.tsx';
import { COUNTED_THINGS } from './counted-things.ts';
import { QuotaForm } from './quota-form.tsx';
import { QuotaSection } from './quota-section.tsx';
import { STORAGE_CONSEQUENCE } from './storage-section.tsx';
import { UsageBar } from './usage-bar.tsx';

const gibText = (gibibytes: number | null): string => (gibibytes === null ? 'no limit' : `${gibibytes} GiB`);
const countText = (count: number | null): string => (count === null ? 'no limit' : count.toLocaleString('en'));

/** Returns a number of GiB as entered; undefined while it is not complete. */
const gibFrom = (text: string): number | undefined => (/^\d{1,10}(\.\d{1,3})?$/.test(text) ? Number(text) : undefined);

const countFrom =
  (max: number) =>
  (text: string): number | undefined =>
    /^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined;

interface Props {
  readonly quotas: Quotas;
  readonly queryKey: QueryKey;
}

/** The height of the section of a quota with a line of usage. */
const SECTION_HEIGHT = 174;

/** The quotas of an account for site administrators, who change them. */
export function AccountQuota({ name, kind }: { readonly name: string; readonly kind: Quotas['type'] }) {
  const hub = useHub();
  const queryKey = ['admin', 'quota', name];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => getQuota({ ...hub, name, signal }) });
  return (
    <Loaded
      query={query}
      loading={<Loading rows={kind === 'user' ? 1 + COUNTED_THINGS.length : 1} height={SECTION_HEIGHT} />}
    >
      {(quotas) => (
        <Stack>
          <StorageQuota quotas={quotas} queryKey={queryKey} />
          <CountQuotas quotas={quotas} queryKey={queryKey} />
        </Stack>
      )}
    </Loaded>
  );
}

function StorageQuota({ quotas, queryKey }: Props) {
  const hub = useHub();
  const { name, usedBytes, storageGib, isDefault, defaultStorageGib } = quotas;
  return (
    <QuotaSection title="Large files">
      <UsageBar
        usage={quotas}
        consequence={STORAGE_CONSEQUENCE}
        remedy={`Raise it, or let ${name} delete large files.`}
      />
      <QuotaForm
        account={name}
        quota={{ limit: storageGib, isDefault, byDefault: defaultStorageGib }}
        form={{ unit: 'GiB', hint: 'At most three decimals', from: gibFrom, text: gibText, mayBeUnlimited: true }}
        usageWith={(limit) => ({ usedBytes, storageGib: limit })}
        consequence={STORAGE_CONSEQUENCE}
        queryKey={queryKey}
        save={(given) => updateQuota({ ...hub, name, storageGib: given })}
      />
    </QuotaSection>
  );
}

/** The quotas that only users have. */
function CountQuotas({ quotas, queryKey }: Props) {
  const hub = useHub();
  const { name } = quotas;
  return COUNTED_THINGS.map(({ key, title, unit, max, consequence, remedy, mayBeUnlimited }) => {
    const quota = quotas[key];
    return (
      quota && (
        <QuotaSection key={key} title={title}>
          <UsageBar usage={quota} consequence={consequence} remedy={`Raise it, or let ${name} ${remedy}.`} />
          <QuotaForm
            account={name}
            quota={{ limit: quota.limit, isDefault: quota.isDefault, byDefault: quota.default }}
            form={{
              ...{ unit, hint: `At most ${max.toLocaleString('en')}`, from: countFrom(max), text: countText },
              mayBeUnlimited,
            }}
            usageWith={(limit) => ({ used: quota.used, limit })}
            consequence={consequence}
            queryKey={queryKey}
            save={(given) => updateQuota({ ...hub, name, ...givenFor(key, given) })}
          />
        </QuotaSection>
      )
    );
  });
}

type Given = number | null | 'default';

/** Returns the part of a request for one quota; webhooks are never without limit. */
function givenFor(key: (typeof COUNTED_THINGS)[number]['key'], given: Given) {
  if (key === 'webhooks') return given === null ? {} : { webhooks: given };
  return key === 'tokens' ? { tokens: given } : { discussions: given };
}
