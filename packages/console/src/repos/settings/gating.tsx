import { Button, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { oneOf } from '../../ui/chosen.ts';
import type { Place } from '../place.ts';
import { Part } from './part.tsx';
import { useUpdate } from './update.ts';

const CHOICES = ['open', 'auto', 'manual'] as const;
const WORDS = {
  open: ['Open', 'Whoever reads the repository reads its files.'],
  auto: ['Gated, accepted at once', 'Users ask for access, and get it with their request.'],
  manual: ['Gated, somebody decides', 'Users ask for access, and wait until you accept their request.'],
} as const;

/** Whether users have to ask for access to the files of a repository. */
export function Gating({ place, gated }: { readonly place: Place; readonly gated: false | 'auto' | 'manual' }) {
  const { update, busy, error } = useUpdate(place);
  const now = gated || 'open';
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>(now);
  return (
    <Part title="Access to the files" error={error}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          update({ gated: choice === 'open' ? false : choice });
        }}
      >
        <Radio.Group
          aria-label="Access to the files"
          value={choice}
          onChange={(chosen) => setChoice(oneOf(CHOICES, chosen) ?? choice)}
        >
          <Stack gap={6} mb="sm">
            {CHOICES.map((each) => (
              <Radio key={each} value={each} label={WORDS[each][0]} description={WORDS[each][1]} />
            ))}
          </Stack>
        </Radio.Group>
        <Button type="submit" variant="default" loading={busy} disabled={choice === now}>
          Save
        </Button>
      </form>
    </Part>
  );
}
