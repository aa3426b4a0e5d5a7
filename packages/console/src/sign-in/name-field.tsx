import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Pick<TextInputProps, 'description'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The user name or e-mail address. */
export const NameField = ({ value, onChange, ...rest }: Props) => (
  <TextInput
    label="User name or e-mail address"
    name="username"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={320}
    autoFocus
    required
    withAsterisk={false}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...rest}
  />
);
