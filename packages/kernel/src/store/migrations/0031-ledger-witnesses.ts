/** Hashes of whole parts of the ledger's tree, what witnesses saw of it, and the alarm that they raise. */
export const ledgerWitnesses = {
  name: '0031-ledger-witnesses',
  sql: `
-- The root of the 256^level entries from place * 256^level on.
create table ledger_subtrees (
  operator_id text not null,
  level integer not null,
  place bigint not null,
  hash bytea not null,
  primary key (operator_id, level, place)
);
create trigger ledger_subtrees_append_only before update or delete or truncate on ledger_subtrees
  for each statement execute function refuse_change();

-- The newest size that each witness said it saw; none is held by the gateway's word.
create table ledger_witnesses (
  operator_id text not null,
  witness text not null,
  kind text not null check (kind in ('device', 'node', 'log')),
  size bigint not null,
  root text not null,
  cosignature text not null,
  at timestamptz not null,
  primary key (operator_id, witness)
);

-- Each checkpoint that the gateway's key signed and that is not of this ledger, once.
create table ledger_alarms (
  operator_id text not null,
  id text not null,
  witness text not null,
  size bigint not null,
  note text not null,
  reason text not null,
  at timestamptz not null,
  cleared_at timestamptz,
  cleared_by text,
  primary key (operator_id, id)
);

alter table operators add column ledger_alarm_at timestamptz;

do $$
declare name text;
begin
  foreach name in array array['ledger_subtrees', 'ledger_witnesses', 'ledger_alarms'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own on %I using (operator_id = current_setting(''app.operator'', true))', name);
  end loop;
end $$;
`,
} as const
