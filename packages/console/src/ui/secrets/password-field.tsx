import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for a password, which can be made visible. `autoComplete` tells password managers its purpose. */
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
