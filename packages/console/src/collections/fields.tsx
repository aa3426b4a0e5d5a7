import { Checkbox, Textarea, TextInput } from '@mantine/core';

/** What a form says about a collection. */
export interface CollectionDraft {
  readonly title: string;
  readonly description: string;
  readonly private: boolean;
}

/** Returns what the hub is told of a draft. */
export const fieldsOf = ({ title, description, ...draft }: CollectionDraft) => ({
  ...draft,
  title: title.trim(),
  description: description.trim() || null,
});

/** The fields of a collection in the forms that create and change one. */
export function CollectionFields(props: {
  readonly draft: CollectionDraft;
  readonly change: (change: Partial<CollectionDraft>) => void;
}) {
  const { draft, change } = props;
  return (
    <>
      <TextInput
        label="Title"
        autoComplete="off"
        maxLength={60}
        required
        withAsterisk={false}
        data-autofocus
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        maxLength={150}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Checkbox
        label="Private"
        description="Only its owner sees it, or the members of the organization that owns it, or of its resource group."
        checked={draft.private}
        onChange={(event) => change({ private: event.currentTarget.checked })}
      />
    </>
  );
}
