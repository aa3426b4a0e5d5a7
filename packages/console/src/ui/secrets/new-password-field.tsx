import { useState } from 'react';
import { faultOf } from '../fault.ts';
import { PasswordField } from './password-field.tsx';

/** Matches messages of the hub about the password itself. */
const ABOUT_PASSWORD = /^body\.password:? /;

/** Returns whether a request was refused because of the new password, which the field then shows. */
export const isAboutPassword = (error: unknown): boolean =>
  error !== null && ABOUT_PASSWORD.test(faultOf(error).message);

/** A field for a new password, which shows the rules in advance. */
export function NewPasswordField(props: {
  readonly label: string;
  /** The minimum number of characters. */
  readonly min: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The error of the last request. */
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
