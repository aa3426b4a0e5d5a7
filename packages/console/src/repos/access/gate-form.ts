const TYPES = ['text', 'checkbox', 'date_picker', 'country', 'select'] as const;

/** A question of the form that users answer who ask for access to a gated repository. */
export interface GateField {
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The form of a gated repository, as the metadata of its card declares it. */
export interface GateForm {
  readonly heading: string | undefined;
  /** Markdown. */
  readonly prompt: string | undefined;
  readonly description: string | undefined;
  readonly button: string | undefined;
  readonly fields: readonly GateField[];
}

/** Returns the form in the metadata of a card; fields without a known type are left out, as the hub leaves them out. */
export function gateFormOf(card: Readonly<Record<string, unknown>> = {}): GateForm {
  const text = (name: string) => (typeof card[name] === 'string' ? card[name] : undefined);
  return {
    heading: text('extra_gated_heading'),
    prompt: text('extra_gated_prompt'),
    description: text('extra_gated_description'),
    button: text('extra_gated_button_content'),
    fields: Object.entries(objectOf(card.extra_gated_fields)).flatMap(([name, declared]) => fieldOf(name, declared)),
  };
}

function fieldOf(name: string, declared: unknown): GateField[] {
  const { type: declaredType = declared, options } = objectOf(declared);
  const type = TYPES.find((known) => known === declaredType);
  return type ? [{ name, type, options: Array.isArray(options) ? options.flatMap(optionOf) : [] }] : [];
}

/** An option is a value, or an object with a value and its label. */
function optionOf(option: unknown): GateField['options'] {
  const { value = option, label = value } = objectOf(option);
  const isShown = typeof value === 'string' || typeof value === 'number';
  return isShown ? [{ value: String(value), label: typeof label === 'string' ? label : String(value) }] : [];
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
