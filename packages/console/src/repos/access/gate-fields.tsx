import { Checkbox, Select, TextInput } from '@mantine/core';
import type { GateField } from './gate-form.ts';

export type Answers = Readonly<Record<string, string | boolean>>;

/** The questions of the form of a gated repository. */
export function GateFields(props: {
  readonly fields: readonly GateField[];
  readonly answers: Answers;
  readonly answer: (name: string, value: string | boolean) => void;
}) {
  const { fields, answers, answer } = props;
  return fields.map(({ name, type, options }) => {
    const given = answers[name];
    const text = typeof given === 'string' ? given : '';
    if (type === 'checkbox')
      return (
        <Checkbox
          key={name}
          label={name}
          required
          checked={given === true}
          onChange={(event) => answer(name, event.currentTarget.checked)}
        />
      );
    if (type === 'select')
      return (
        <Select
          key={name}
          label={name}
          required
          withAsterisk={false}
          allowDeselect={false}
          data={[...options]}
          value={text === '' ? null : text}
          onChange={(chosen) => answer(name, chosen ?? '')}
        />
      );
    return (
      <TextInput
        key={name}
        label={name}
        {...(type === 'date_picker' && { type: 'date' })}
        {...(type === 'country' && { autoComplete: 'country-name' })}
        required
        withAsterisk={false}
        maxLength={1000}
        value={text}
        onChange={(event) => answer(name, event.currentTarget.value)}
      />
    );
  });
}
