import { Button, Select } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useMe } from '../session/session.tsx';
import { Sections } from '../ui/sections.tsx';

/** Returns the namespace in the URL: the user or a chosen organization. */
export function useOwner(): string | undefined {
  const { data: me } = useMe();
  const [params] = useSearchParams();
  return params.get('owner') ?? me?.name;
}

export function OwnerSelect({ labelled = false }: { readonly labelled?: boolean }) {
  const { data: me } = useMe();
  const [, setParams] = useSearchParams();
  const owner = useOwner();
  return (
    <Select
      {...(labelled ? { label: 'Owner' } : { 'aria-label': 'Owner' })}
      allowDeselect={false}
      data={me ? [me.name, ...me.orgs.map(({ name }) => name)] : []}
      value={owner ?? null}
      onChange={(chosen) =>
        setParams((before) => {
          const next = new URLSearchParams(before);
          if (chosen === null || chosen === me?.name) next.delete('owner');
          else next.set('owner', chosen);
          return next;
        })
      }
    />
  );
}

export const JobSections = () => (
  <Sections
    label="Parts of jobs"
    sections={[
      { href: '/jobs', name: 'Jobs' },
      { href: '/jobs/schedules', name: 'Schedules' },
    ]}
  />
);

export function NewJobLink({ owner }: { readonly owner: string | undefined }) {
  const query = owner === undefined ? '' : `?owner=${encodeURIComponent(owner)}`;
  return (
    <Button component={Link} href={`/jobs/new${query}`}>
      New job
    </Button>
  );
}
