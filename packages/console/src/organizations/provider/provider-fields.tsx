import { Checkbox, Group, Textarea, TextInput, Title } from '@mantine/core';
import { PasswordField } from '../../ui/secrets/password-field.tsx';
import { RoleSelect } from '../members/role-select.tsx';
import type { ProviderDraft } from './draft.ts';
import { RoleMapping } from './role-mapping.tsx';

interface Props {
  readonly draft: ProviderDraft;
  readonly change: (changed: Partial<ProviderDraft>) => void;
}

/** How the hub identifies itself at the provider. */
export function ClientFields({ draft, change, hasSecret }: Props & { readonly hasSecret: boolean }) {
  return (
    <>
      <TextInput
        label="Client id"
        required
        value={draft.clientId}
        onChange={(event) => change({ clientId: event.currentTarget.value })}
      />
      <PasswordField
        label="Client secret"
        description={
          hasSecret
            ? 'One is stored, and is not shown. Leave this empty to keep it for the same issuer and client.'
            : 'Stored encrypted, and not shown again. Leave this empty for a public client.'
        }
        autoComplete="new-password"
        required={false}
        disabled={draft.dropsSecret}
        value={draft.secret}
        onChange={(event) => change({ secret: event.currentTarget.value })}
      />
      {hasSecret && (
        <Checkbox
          label="Delete the stored secret"
          checked={draft.dropsSecret}
          onChange={(event) => change({ dropsSecret: event.currentTarget.checked })}
        />
      )}
      <TextInput
        label="Scopes"
        required
        value={draft.scopes}
        onChange={(event) => change({ scopes: event.currentTarget.value })}
      />
    </>
  );
}

/** Where the provider says who a person is. */
export function ClaimFields({ draft, change }: Props) {
  return (
    <>
      <Title order={3}>Claims</Title>
      <TextInput
        label="Subject claim"
        description="What identifies a person: oid for Entra ID."
        required
        value={draft.subjectClaim}
        onChange={(event) => change({ subjectClaim: event.currentTarget.value })}
      />
      <TextInput
        label="User name claim"
        required
        value={draft.usernameClaim}
        onChange={(event) => change({ usernameClaim: event.currentTarget.value })}
      />
      <TextInput
        label="Groups claim"
        description="Dots lead into it, as in realm_access.roles."
        required
        value={draft.groupsClaim}
        onChange={(event) => change({ groupsClaim: event.currentTarget.value })}
      />
    </>
  );
}

/** Who may sign in, and with which roles. */
export function AdmissionFields({ draft, change }: Props) {
  return (
    <>
      <Title order={3}>Who may sign in</Title>
      <Textarea
        label="Allowed domains"
        description="One a line: only confirmed e-mail addresses of these. None: everybody whom the provider admits."
        placeholder="acme.com"
        autosize
        minRows={2}
        value={draft.domains}
        onChange={(event) => change({ domains: event.currentTarget.value })}
      />
      <Textarea
        label="Allowed groups"
        description="One a line: only people in one of these."
        autosize
        minRows={2}
        value={draft.groups}
        onChange={(event) => change({ groups: event.currentTarget.value })}
      />
      <Checkbox
        label="A first sign-in makes an account of the organization (Enterprise Plus)"
        checked={draft.createUsers}
        onChange={(event) => change({ createUsers: event.currentTarget.checked })}
      />
      <Title order={3}>Roles</Title>
      <Group>
        <RoleSelect
          label="Role without a mapped group"
          labelled
          value={draft.defaultRole}
          choose={(defaultRole) => change({ defaultRole })}
        />
      </Group>
      <RoleMapping mapping={draft.mapping} change={(mapping) => change({ mapping })} />
    </>
  );
}
