import { codeByLine, templatesOf } from './imports.ts';

/** A table that a statement names. */
export interface NamedTable {
  readonly table: string;
  readonly writes: boolean;
  /** The line number, counted from 1. */
  readonly line: number;
}

/** Matches writes of the query builder, and functions of `platform/database` that write rows of a table. */
const WRITING =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](?<table>[a-z_]+)|\b(?:insertNew|updateEach)\(\s*[\w.]+,\s*['"`](?<helped>[a-z_]+)/g;
const READING = /\.(?:selectFrom|using|(?:inner|left|right|full|cross)Join)\(\s*(?<tables>\[[^\]]*\]|['"`][a-z_]+)/g;
const NAME = /['"`](?<table>[a-z_]+)/g;

const RAW_WRITING = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?<table>[a-z_]+)/g;
/** Matches a table with its alias, and further tables after commas. */
const RAW_READING =
  /\b(?:from|join|using)\s+(?<tables>[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?(?:\s*,\s*[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?)*)/g;
const DELETED = /\bdelete\s+$/;

/** Matches calls that take their table from a variable: then every table that the file names counts. */
const WRITING_ANY =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[a-z]\w*\s*\)|\b(?:insertNew|updateEach)\(\s*[\w.]+,\s*[a-z]/;
const RAW_WRITING_ANY = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+\$\{/;
const READING_ANY = /\.(?:selectFrom|using|\w+Join)\(\s*[a-z]\w*\s*[),]|\bsql\.table\(\s*[a-z]/;
const NAMED = /(?<![(.]\s*)['"](?<table>[a-z_]+)['"]/g;

/** Returns each mention of a table in the calls and in the SQL texts of a file. */
export function statementsOf(text: string, tables: ReadonlySet<string>): NamedTable[] {
  const code = codeByLine(text);
  const lineOf = (index: number) => code.slice(0, index).split('\n').length;
  const found: NamedTable[] = [];
  const add = (table: string | undefined, writes: boolean, index: number) => {
    if (table !== undefined && tables.has(table)) found.push({ table, writes, line: lineOf(index) });
  };
  for (const { groups, index } of code.matchAll(WRITING)) add(groups?.table ?? groups?.helped, true, index);
  for (const { groups, index } of code.matchAll(READING))
    for (const name of (groups?.tables ?? '').matchAll(NAME)) add(name.groups?.table, false, index);
  for (const { text: sql, index: at } of templatesOf(code)) {
    for (const { groups, index } of sql.matchAll(RAW_WRITING)) add(groups?.table, true, at + index);
    for (const { groups, index } of sql.matchAll(RAW_READING)) {
      if (DELETED.test(sql.slice(0, index))) continue;
      for (const part of (groups?.tables ?? '').split(',')) add(part.trim().split(/\s+/)[0], false, at + index);
    }
  }
  const writesAny = WRITING_ANY.test(code) || templatesOf(code).some((template) => RAW_WRITING_ANY.test(template.text));
  if (writesAny || READING_ANY.test(code))
    for (const { groups, index } of code.matchAll(NAMED)) add(groups?.table, writesAny, index);
  return found;
}
