/** Calls that are made of calls, calls that the operator makes without a model, effects on records, and rates. */
export const childCallsAndFileLabels = {
  name: '0003-child-calls-and-file-labels',
  sql: `
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check check (kind in ('agent', 'undo', 'direct'));

alter table calls drop constraint calls_state_check;
alter table calls add constraint calls_state_check
  check (state in ('proposed', 'asked', 'approved', 'intended', 'unknown', 'waiting', 'ended'));
-- The call that needs this one; its own end waits for it.
alter table calls add column parent_id text references calls (id);
-- Whom the call is authorized for when it is not the run's own requester: the maker of the tool that made the call.
alter table calls add column requester json;

-- An effect on the operator's records and the memory of it are one transaction, so this is all the replay store it takes.
create table record_permit_uses (
  operator_id text not null,
  nonce text primary key,
  -- A nonce belongs to one permit for ever.
  digest text not null,
  reply json not null,
  at timestamptz not null
);

-- Files of the workspace that hold what untrusted content wrote; a folder stands for all that is in it.
create table file_labels (
  operator_id text not null,
  path text not null,
  label json not null,
  marked_at timestamptz not null,
  -- The call that wrote over it. The mark comes back when that call is taken back, so it is kept beside later ones.
  cleared_by text,
  cleared_at timestamptz
);
create unique index file_labels_live on file_labels (operator_id, path) where cleared_at is null;
create index file_labels_covered on file_labels (operator_id, cleared_by) where cleared_at is not null;

-- What the operator called their own: in the workspace by its path there, elsewhere by its absolute path.
create table own_paths (
  operator_id text not null,
  path text not null,
  said_at timestamptz not null,
  primary key (operator_id, path)
);

-- Few calls are under way at once, and every reading of a file asks for them.
create index calls_under_way on calls (operator_id) where state = 'intended';

create table call_rates (
  operator_id text not null,
  tool text not null,
  person text not null,
  -- Calls by the number of the second in which they were made; as many seconds as the window has.
  recent jsonb not null,
  at timestamptz not null,
  primary key (operator_id, tool, person)
);

do $$
declare name text;
begin
  foreach name in array array['record_permit_uses', 'file_labels', 'own_paths', 'call_rates'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own on %I using (operator_id = current_setting(''app.operator'', true))', name);
  end loop;
end $$;
`,
} as const
