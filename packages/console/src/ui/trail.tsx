import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { To } from './link.tsx';

/** The breadcrumbs of a page: links to its parent pages, and its own name. */
export function Trail(props: {
  readonly above: readonly { readonly href: string; readonly name: string }[];
  readonly children: ReactNode;
}) {
  const { above, children } = props;
  return (
    <Text component="nav" aria-label="Above" size="sm" c="dimmed" mb={4} className="breaks">
      {above.map(({ href, name }) => (
        <Fragment key={href}>
          <To href={href} underline="always">
            {name}
          </To>
          {' / '}
        </Fragment>
      ))}
      {children}
    </Text>
  );
}
