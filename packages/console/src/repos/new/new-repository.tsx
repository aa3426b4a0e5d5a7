import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { createRepo } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { hrefOfBucket } from '../../buckets/place.ts';
import { OwnerSelect, useOwner } from '../../jobs/owner.tsx';
import { GroupSelect } from '../../organizations/group-select.tsx';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { oneOf } from '../../ui/chosen.ts';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import { useUrlFilters } from '../../ui/lists/url-filters.ts';
import { Page } from '../../ui/page.tsx';
import { Refused } from '../../ui/refused.tsx';
import { Trail } from '../../ui/trail.tsx';
import { hrefOf } from '../place.ts';
import { NO_REPO, REPO_TYPES, type RepoDraft, type RepoType, requestOf, SDKS } from './draft.ts';
import { LICENCES } from './licences.ts';

const ABOUT: Readonly<Record<RepoType, readonly [name: string, about: string]>> = {
  model: ['Model', 'Weights, their configuration and a card'],
  dataset: ['Dataset', 'Data to train and to evaluate with'],
  space: ['Space', 'The files of an app'],
  kernel: ['Kernel', 'Code that models load to compute faster'],
  bucket: ['Bucket', 'Files without history, overwritten in place'],
};

/** The form that creates a repository. Its type and its owner are part of the URL. */
export function NewRepository() {
  const hub = useHub();
  const { data: me } = useMe();
  const [, go] = useLocation();
  const [params, changeUrl] = useUrlFilters();
  const owner = useOwner();
  const type = oneOf(REPO_TYPES, params.get('type')) ?? 'model';
  const [draft, setDraft] = useState<RepoDraft>(NO_REPO);
  const { act, busy, error, reset } = useAct(['repositories']);
  const change = (changed: Partial<RepoDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    reset();
  };
  const organization = owner === undefined || owner === me?.name ? undefined : owner;
  const create = async () => {
    const { name } = await createRepo({ ...hub, ...requestOf(type, owner ?? '', draft) });
    go(
      type === 'bucket'
        ? hrefOfBucket({ repo: name, page: 'tree', path: '' })
        : hrefOf({ type, repo: name, page: 'tree', revision: 'main', path: '' }),
    );
  };
  return (
    <Page title="New repository" above={<Trail above={[{ href: '/repositories', name: 'Repositories' }]}>New</Trail>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(create);
        }}
      >
        <Stack maw={640}>
          <Radio.Group label="Type" value={type} onChange={(chosen) => changeUrl({ type: chosen })}>
            <Stack gap={6} mt="xs">
              {REPO_TYPES.map((each) => (
                <Radio key={each} value={each} label={ABOUT[each][0]} description={ABOUT[each][1]} />
              ))}
            </Stack>
          </Radio.Group>
          <OwnerSelect labelled />
          <TextInput
            label="Name"
            description="Letters, digits, dashes, underscores and dots"
            {...NAME_INPUT}
            maxLength={96}
            required
            withAsterisk={false}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Visibility
            organization={organization}
            visibility={draft.visibility}
            change={(visibility) => change({ visibility })}
          />
          {organization !== undefined && (
            <GroupSelect
              organization={organization}
              group={draft.group?.organization === organization ? draft.group.id : undefined}
              change={(id) => change({ group: id === undefined ? undefined : { organization, id } })}
            />
          )}
          {type === 'space' && (
            <Select
              label="SDK"
              description="The README of the Space names it."
              allowDeselect={false}
              data={SDKS}
              value={draft.sdk ?? null}
              onChange={(sdk) => change({ sdk: oneOf(SDKS, sdk) })}
            />
          )}
          {type !== 'bucket' && (
            <Select
              label="Licence"
              description="Optional; the README of the repository names it."
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'No licence' }}
              data={LICENCES}
              value={draft.licence ?? null}
              onChange={(licence) => change({ licence: licence ?? undefined })}
            />
          )}
          <Refused error={error} mt="0" />
          <FormEnd
            submit="Create repository"
            busy={busy}
            disabled={draft.name.trim() === '' || owner === undefined}
            back="/repositories"
          />
        </Stack>
      </form>
    </Page>
  );
}

/** Who sees the new repository: for organizations, as they have set it unless somebody chooses. */
function Visibility(props: {
  readonly organization: string | undefined;
  readonly visibility: RepoDraft['visibility'];
  readonly change: (visibility: RepoDraft['visibility']) => void;
}) {
  const { organization, visibility, change } = props;
  return (
    <Radio.Group
      label="Visibility"
      value={visibility ?? (organization === undefined ? 'public' : 'default')}
      onChange={(chosen) => change(oneOf(['public', 'private'] as const, chosen))}
    >
      <Stack gap={6} mt="xs">
        {organization !== undefined && <Radio value="default" label={`The default of ${organization}`} />}
        <Radio value="public" label="Public" description="Every user of this hub can read it." />
        <Radio
          value="private"
          label="Private"
          description={
            organization === undefined ? 'Only you can read it.' : `Only members of ${organization} can read it.`
          }
        />
      </Stack>
    </Radio.Group>
  );
}
