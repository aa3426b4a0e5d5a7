import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { OAUTH_SCOPES, OauthScope } from '@moonbase/contract/oauth/scopes';

/** The fields of an application form. */
export interface ApplicationDraft {
  readonly name: string;
  /** One address per line. */
  readonly redirects: string;
  readonly scopes: readonly string[];
}

export const EMPTY_DRAFT: ApplicationDraft = { name: '', redirects: '', scopes: ['openid', 'profile'] };

/** Returns a draft for the hub's API. */
export const settingsOf = ({ name, redirects, scopes }: ApplicationDraft) => ({
  name,
  redirectUris: redirects.split(/\s+/).filter((line) => line !== ''),
  scopes: scopes.map((scope) => OauthScope.parse(scope)),
});

/** The fields of an application, new or existing. */
export function ApplicationFields(props: {
  readonly draft: ApplicationDraft;
  readonly change: (draft: ApplicationDraft) => void;
}) {
  const { draft, change } = props;
  return (
    <>
      <TextInput
        label="Name"
        required
        value={draft.name}
        onChange={(event) => change({ ...draft, name: event.currentTarget.value })}
      />
      <Textarea
        label="Redirect addresses"
        description="One a line; * at the end of one stands for anything. None for programs that log in by a code."
        placeholder="https://app.example/callback"
        autosize
        minRows={2}
        value={draft.redirects}
        onChange={(event) => change({ ...draft, redirects: event.currentTarget.value })}
      />
      <MultiSelect
        label="Scopes"
        data={[...OAUTH_SCOPES]}
        value={[...draft.scopes]}
        onChange={(scopes) => change({ ...draft, scopes })}
      />
    </>
  );
}
