import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { Prose } from '../ui/code/prose.tsx';
import { type ApiDocument, resolved, type Schema } from './document.ts';

/** A schema in one line, with its parts below, which are rendered when they are opened. */
export function SchemaView(props: {
  readonly document: ApiDocument;
  readonly given: Schema;
  readonly name?: string;
  readonly isRequired?: boolean;
  /** Whether the parts are shown from the beginning. */
  readonly opened?: boolean;
}) {
  const { document, given, name, isRequired = false, opened = false } = props;
  const [isOpen, setIsOpen] = useState(opened);
  const { schema } = resolved(given, document);
  const parts = partsOf(schema, document);
  const line = (
    <>
      {name !== undefined && <Code>{name}</Code>} <span className="json-other">{typeOf(given, document)}</span>
      {isRequired && ' required'}
      <Text span size="sm" c="dimmed">
        {' '}
        {limitsOf(schema).join(', ')}
      </Text>
      {schema.description && (
        <Text span size="sm" c="dimmed">
          {' · '}
          <Prose text={schema.description} />
        </Text>
      )}
    </>
  );
  if (parts.length === 0) return <div className="breaks">{line}</div>;
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="breaks">
      <summary>{line}</summary>
      {isOpen && (
        <ul className="schema-parts">
          {parts.map((part) => (
            <li key={part.key}>
              <SchemaView
                document={document}
                given={part.schema}
                {...(part.name !== undefined && { name: part.name })}
                isRequired={part.isRequired}
              />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

interface Part {
  /** Is unique among the parts of a schema. */
  readonly key: string;
  readonly name?: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Returns what a schema is made of: properties, the items of a list, or the possibilities. */
function partsOf(schema: Schema, document: ApiDocument): readonly Part[] {
  const { properties = {}, required = [], items, additionalProperties, anyOf, oneOf, allOf } = schema;
  if (items) return partsOf(resolved(items, document).schema, document);
  const named = Object.entries(properties).map(([name, part]) => ({
    ...{ key: `.${name}`, name, schema: part },
    isRequired: required.includes(name),
  }));
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const possible = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].filter(({ type }) => type !== 'null');
  return [
    ...named,
    ...others.map((part) => ({ key: '*', name: 'any name', schema: part, isRequired: false })),
    // A single possibility beside null has nothing that its line does not say, unless it has parts.
    ...(possible.length === 1
      ? partsOf(resolved(possible[0] ?? {}, document).schema, document)
      : possible.map((part, at) => ({ key: String(at), schema: part, isRequired: false }))),
  ];
}

/** Returns the type of a schema in words. */
function typeOf(given: Schema, document: ApiDocument): string {
  const { schema, name } = resolved(given, document);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) return `list of ${typeOf(schema.items, document)}`;
  const possible = schema.anyOf ?? schema.oneOf;
  if (possible) return [...new Set(possible.map((each) => typeOf(each, document)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, document)).join(' & ');
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** Returns what else a schema demands of a value. */
function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = schema;
  const isLimit = (limit?: number) => limit !== undefined && Math.abs(limit) !== Number.MAX_SAFE_INTEGER;
  const between = (what: string, least?: number, most?: number) => {
    if (isLimit(least) && least === most) return [`${what}${least}`];
    if (isLimit(least)) return [`${what}${isLimit(most) ? `${least} to ${most}` : `at least ${least}`}`];
    return isLimit(most) ? [`${what}at most ${most}`] : [];
  };
  return [
    ...between('', minimum, maximum),
    ...between('length ', minLength, maxLength),
    ...between('items ', minItems, maxItems),
    ...(format === undefined ? [] : [`format ${format}`]),
    ...(pattern === undefined || format !== undefined ? [] : [`pattern ${pattern}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}
