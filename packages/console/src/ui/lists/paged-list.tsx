import { Paper } from '@mantine/core';
import { Children, type ComponentProps, type ReactNode } from 'react';
import { More } from '../more.tsx';

/** The number of rows that stand in one list: a browser passes over lists that are not on the screen, but looks at each row of one that is. */
const MAX_ROWS = 100;

/** A list of rows with a button for the next page; `busy` while another page is on its way. */
export function PagedList(props: {
  readonly label: string;
  readonly more: ComponentProps<typeof More>['more'];
  readonly busy: boolean;
  readonly children: ReactNode;
}) {
  const { label, more, busy, children } = props;
  const rows = Children.toArray(children);
  const starts = Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, at) => at * MAX_ROWS);
  return (
    <Paper withBorder aria-busy={busy}>
      {starts.map((start) => (
        <ul key={start} className="plain-list" aria-label={start === 0 ? label : `${label} from ${start + 1}`}>
          {rows.slice(start, start + MAX_ROWS)}
        </ul>
      ))}
      <More more={more} busy={busy} />
    </Paper>
  );
}
