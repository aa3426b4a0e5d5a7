import { Select } from '@mantine/core';

/** Chooses the value of a parameter that filters or orders a list; the value at first is not in the URL. */
export function FilterSelect<Value extends string>(props: {
  readonly label: string;
  /** The names of the values, in their order. */
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly atFirst: Value;
  readonly width?: number;
  readonly change: (value: string | undefined) => void;
}) {
  const { label, names, value, atFirst, width, change } = props;
  return (
    <Select
      aria-label={label}
      {...(width !== undefined && { w: width })}
      allowDeselect={false}
      data={Object.entries<string>(names).map(([each, name]) => ({ value: each, label: name }))}
      value={value}
      onChange={(chosen) => change(chosen === atFirst ? undefined : (chosen ?? undefined))}
    />
  );
}
