import { Button, Group, Select, TextInput } from '@mantine/core';
import { type CountUsage, fullness, type Usage } from '@moonbase/client/usage-text';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { oneOf } from '../ui/chosen.ts';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';
import { textOf } from './usage-bar.tsx';

const KINDS = ['default', 'own', 'none'] as const;
type Kind = (typeof KINDS)[number];

type Given = number | null | 'default';

interface Draft {
  readonly kind: Kind;
  /** The number as entered. */
  readonly entered: string;
}

/** A quota as it is now; null: no limit. */
interface Quota {
  readonly limit: number | null;
  readonly isDefault: boolean;
  readonly byDefault: number | null;
}

/** How a quota is entered and shown. */
interface Form {
  readonly unit: string;
  readonly hint: string;
  /** Returns the number that was entered; undefined while it is not complete. */
  readonly from: (text: string) => number | undefined;
  readonly text: (limit: number | null) => string;
  readonly mayBeUnlimited: boolean;
}

const draftOf = ({ isDefault, limit }: Quota): Draft => ({
  kind: isDefault ? 'default' : limit === null ? 'none' : 'own',
  entered: isDefault || limit === null ? '' : `${limit}`,
});

/** Returns what a draft asks for; undefined while it is not complete. */
function givenBy({ kind, entered }: Draft, form: Form): Given | undefined {
  if (kind !== 'own') return kind === 'none' ? null : 'default';
  return form.from(entered.trim());
}

/** Changes one quota of an account; a quota that is used up at once asks first. */
export function QuotaForm(props: {
  readonly account: string;
  readonly quota: Quota;
  readonly form: Form;
  /** Returns the usage as it would be with a quota. */
  readonly usageWith: (limit: number | null) => Usage | CountUsage;
  /** What is refused once the quota is used up. */
  readonly consequence: string;
  readonly queryKey: QueryKey;
  readonly save: (given: Given) => Promise<unknown>;
}) {
  const { account, quota, form } = props;
  const [changed, setChanged] = useState<Draft>();
  const [asking, setAsking] = useState(false);
  const { act, busy, error, reset } = useAct(props.queryKey);
  const draft = changed ?? draftOf(quota);
  const given = givenBy(draft, form);
  const isUnsaved = changed !== undefined && given !== givenBy(draftOf(quota), form);
  useUnsaved(isUnsaved);
  const limit = given === 'default' ? quota.byDefault : (given ?? null);
  const wanted = props.usageWith(limit);
  const change = (part: Partial<Draft>) => {
    setChanged({ ...draft, ...part });
    reset();
  };
  const close = () => {
    setAsking(false);
    reset();
  };
  const save = () => {
    if (given === undefined) return;
    act(
      () => props.save(given),
      () => {
        setAsking(false);
        setChanged(undefined);
      },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (fullness(wanted) === 'full') setAsking(true);
        else save();
      }}
    >
      <Group mt="md" gap="xs" align="flex-end">
        <Select
          label="Quota"
          allowDeselect={false}
          data={[
            { value: 'default', label: `Default: ${form.text(quota.byDefault)}` },
            { value: 'own', label: 'Own quota' },
            ...(form.mayBeUnlimited ? [{ value: 'none', label: 'No limit' }] : []),
          ]}
          value={draft.kind}
          onChange={(value) => change({ kind: oneOf(KINDS, value) ?? draft.kind })}
        />
        {draft.kind === 'own' && (
          <TextInput
            label={form.unit}
            description={form.hint}
            inputMode="decimal"
            autoComplete="off"
            maxLength={14}
            value={draft.entered}
            error={draft.entered !== '' && given === undefined}
            onChange={(event) => change({ entered: event.currentTarget.value })}
          />
        )}
        <Button type="submit" loading={busy && !asking} disabled={!isUnsaved || given === undefined}>
          Save quota
        </Button>
      </Group>
      {!asking && <Refused error={error} />}
      <Confirm
        opened={asking}
        title={`Set the quota of ${account} to ${form.text(limit)}?`}
        action="Set quota"
        busy={busy}
        error={error}
        close={close}
        confirm={save}
      >
        It would be used up at once: {textOf(wanted)}. What is there stays, and {props.consequence}.
      </Confirm>
    </form>
  );
}
