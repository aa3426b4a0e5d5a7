import { Anchor, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

/** Links to the parts of something, the present one marked. */
export function Sections(props: {
  readonly label: string;
  readonly sections: readonly { readonly href: string; readonly name: string }[];
}) {
  const [path] = useLocation();
  return (
    <Group component="nav" aria-label={props.label} gap={0} mb="md" className="sections">
      {props.sections.map(({ href, name }) => (
        <Anchor
          key={href}
          component={Link}
          href={href}
          underline="never"
          className="section"
          aria-current={path === href ? 'page' : undefined}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
