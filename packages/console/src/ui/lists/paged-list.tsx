import { Paper } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { More } from '../more.tsx';

/** A list of rows with a button for the next page; `busy` while another page is on its way. */
export function PagedList(props: {
  readonly label: string;
  readonly more: ComponentProps<typeof More>['more'];
  readonly busy: boolean;
  readonly children: ReactNode;
}) {
  const { label, more, busy, children } = props;
  return (
    <Paper withBorder aria-busy={busy}>
      <ul className="plain-list" aria-label={label}>
        {children}
      </ul>
      <More more={more} busy={busy} />
    </Paper>
  );
}
