/** What is tried with each table of the kernel, and beside the tables. */

export interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly isGenerated: boolean }[]
}

/** Each writes the table, or changes what it is. Columns are tried one by one: a right may be given for one alone. */
export function attemptsOn({ name, columns }: Table): string[] {
  const table = quoted(name)
  const written = columns.filter(({ isGenerated }) => !isGenerated).map((column) => quoted(column.name))
  const [first = ''] = written
  return [
    `insert into ${table} default values`,
    ...written.map((column) => `insert into ${table} (${column}) select ${column} from ${table}`),
    ...written.map((column) => `update ${table} set ${column} = ${column}`),
    `with gone as (delete from ${table} returning 1) select count(*) from gone`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `select 1 from ${table} for update`,
    `select 1 from ${table} for key share`,
    `lock table ${table} in exclusive mode`,
    `alter table ${table} add column planted text`,
    `alter table ${table} drop column ${first}`,
    `alter table ${table} disable row level security`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} owner to current_user`,
    `alter table ${table} rename to planted`,
    `drop table ${table} cascade`,
    `create index planted on ${table} (${first})`,
    `create trigger planted before insert on ${table} for each row execute function suppress_redundant_updates_trigger()`,
    `create rule planted as on select to ${table} do instead nothing`,
    `create policy planted on ${table} using (true)`,
    `copy ${table} from program 'true'`,
  ]
}

/** Ways to become more, or to stand in for what is there. */
export const attemptsBeside: readonly string[] = [
  'create table countersign.planted (a text)',
  'create temporary table calls (a text)',
  'select 1 as a into countersign.planted',
  'create view countersign.planted as select 1',
  "create function countersign.planted() returns integer language sql as 'select 1'",
  'create schema planted',
  'drop schema countersign cascade',
  'alter schema countersign owner to current_user',
  'alter role countersign_assistant superuser',
  'grant countersign to countersign_assistant',
  "select * from close_unit('a', now(), '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
  "select give_to_assistant('calls')",
  "select reserve_call('{}', '{}')",
  "select settle_call('{}')",
]

/** Sent through a handle, each would leave the role or the transaction, so that what follows could write. */
export const escapes: readonly string[] = [
  'reset role',
  'set role none',
  'set local role countersign',
  'set session authorization default',
  'reset all',
  'discard all',
  'commit',
  'rollback',
  'end; begin',
  'select 1; reset role',
  'select 1; commit; begin',
  'set transaction read write',
  "select set_config('role', 'none', true)",
  "select pg_catalog.set_config('role', 'countersign', false)",
  "select U&\"\\0073et_config\"('role', 'none', true)",
  'do $$ begin set local role none; update held_goals set goal = goal; end $$',
  "prepare planted as update held_goals set goal = 'x'",
  '/* a comment */ reset role',
  '-- a comment\nreset role',
  // A text that a function runs as a statement, in which the name is put together.
  "select * from ts_stat('select to_tsvector(''simple'', set_con' || 'fig(''role'', ''none'', true))')",
  "select * from ts_stat('select to_tsvector(''simple'', set_con' || 'fig(''app.operator'', ''op_other'', false))')",
  "select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, (set_con' || 'fig(''role'', ''none'', true))::tsquery')",
  "select query_to_xml('select set_con' || 'fig(''role'', ''none'', true)', true, true, '')",
  // A view that is written like a table, and changes what the connection is set to.
  "update pg_settings set setting = 'on' where name = 'default_transaction_read_only'",
]

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
