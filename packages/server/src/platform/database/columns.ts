/** The type of a column in the words of both engines. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'bytea';

declare const VALUE: unique symbol;

/** A column of a table, and the type that its values have in the program. */
export type Column<Value> = ColumnType & { readonly [VALUE]?: Value };

/** A row of these columns. */
export type RowOf<Declared> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends { readonly [VALUE]?: infer Value } ? Value : never;
};

/** The columns of a table, or some of them, by their names. */
export type Columns = Readonly<Record<string, ColumnType>>;

export const text = <Value extends string | null = string>() => column<Value>('text');
export const bigint = <Value extends number | null = number>() => column<Value>('bigint');
export const integer = <Value extends number | null = number>() => column<Value>('integer');

/** The type of the values is known to the compiler alone, which has to be told. */
const column = <Value>(type: ColumnType) => type as Column<Value>;
