import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link to another page of the console. */
export function To({ href, ...props }: AnchorProps & { readonly href: string; readonly children: ReactNode }) {
  return <Anchor component={Link} href={href} {...props} />;
}
