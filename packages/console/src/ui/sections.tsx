import { Anchor, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

/** Links to the sections of a page, with the current one marked. */
export function Sections(props: {
  readonly label: string;
  readonly sections: readonly { readonly href: string; readonly name: string }[];
}) {
  const [path] = useLocation();
  // A page below that of a section belongs to the section; the longest path is that of the innermost one.
  const current = props.sections
    .map(({ href }) => href)
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .reduce((innermost, href) => (href.length > innermost.length ? href : innermost), '');
  return (
    <Group component="nav" aria-label={props.label} gap={0} mb="md" className="sections">
      {props.sections.map(({ href, name }) => (
        <Anchor
          key={href}
          component={Link}
          href={href}
          underline="never"
          className="section"
          aria-current={href === current ? 'page' : undefined}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
