import { Group, Select, TextInput } from '@mantine/core';
import { expiryDay, LIFETIMES } from './expiry.ts';

export interface Expiry {
  /** A number of days, `never` or `date`. */
  readonly lifetime: string;
  /** The last day, as in 2026-12-31, if `lifetime` is `date`. */
  readonly date: string;
}

/** Selects when a token expires. */
export function ExpiryField({
  expiry,
  change,
}: {
  readonly expiry: Expiry;
  readonly change: (expiry: Expiry) => void;
}) {
  const { lifetime, date } = expiry;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Expires"
        w={200}
        allowDeselect={false}
        data={LIFETIMES}
        value={lifetime}
        onChange={(chosen) => chosen !== null && change({ ...expiry, lifetime: chosen })}
      />
      {lifetime === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          min={expiryDay(Date.now())}
          required
          withAsterisk={false}
          value={date}
          onChange={(event) => change({ ...expiry, date: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}
