/** The operator's own records: one table, many collections, each row seen by its operator only. */
export const records = {
  name: '0002-records',
  sql: `
create table records (
  operator_id text not null,
  -- Compared byte by byte, so that a prefix is a range.
  collection text collate "C" not null,
  id text collate "C" not null,
  data jsonb not null,
  -- What the content is worth; null where it is worth no less than what the operator keeps anyway.
  label json,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (operator_id, collection, id)
);
create index records_recent on records (operator_id, collection, created_at desc, id desc);

-- Letters without their case, in every alphabet: the best way that this server knows.
do $$
declare best text;
begin
  select quote_ident(collname) into best from pg_collation
    where collname in ('pg_c_utf8', 'und-x-icu') and collnamespace = 'pg_catalog'::regnamespace
    order by collname = 'pg_c_utf8' desc limit 1;
  execute format(
    'create function fold(value text) returns text language sql immutable parallel safe return lower(value collate %s)',
    coalesce(best, '"default"'));
end $$;

alter table records enable row level security;
alter table records force row level security;
create policy own on records using (operator_id = current_setting('app.operator', true));
`,
} as const
