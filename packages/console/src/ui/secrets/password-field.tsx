import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for a password, which can be shown. Password managers know by `autoComplete` what it is for. */
export function PasswordField(
  props: PasswordInputProps & { readonly autoComplete: 'current-password' | 'new-password' },
) {
  return (
    <PasswordInput
      aria-invalid={Boolean(props.error)}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      {...props}
    />
  );
}
