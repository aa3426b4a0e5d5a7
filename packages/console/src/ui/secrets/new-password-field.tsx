import { useState } from 'react';
import { faultOf } from '../fault.ts';
import { PasswordField } from './password-field.tsx';

/** What the hub says about the password itself. */
const ABOUT_PASSWORD = /^body\.password:? /;

/** Whether a request was refused because of its new password, which the field then says. */
export const isAboutPassword = (error: unknown): boolean =>
  error !== null && ABOUT_PASSWORD.test(faultOf(error).message);

/** A field for a new password, which tells its rules before somebody breaks them. */
export function NewPasswordField(props: {
  readonly label: string;
  /** The fewest characters. */
  readonly min: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the hub refused the last one. */
  readonly error: unknown;
  readonly autoFocus?: boolean;
}) {
  const { label, min, value, onChange, error, autoFocus = false } = props;
  const [left, setLeft] = useState(false);
  const count = Array.from(value.normalize('NFC')).length;
  const fault = isAboutPassword(error)
    ? faultOf(error).message.replace(ABOUT_PASSWORD, 'The password ')
    : left && count > 0 && count < min && `The password must have ${min} characters or more; it has ${count}.`;
  return (
    <PasswordField
      label={label}
      description={`${min} characters or more, of any kind: a few words that nobody expects, without your name.`}
      name="new-password"
      autoComplete="new-password"
      autoFocus={autoFocus}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      error={fault}
    />
  );
}
