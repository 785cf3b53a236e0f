/** The first schema. Every row belongs to one operator, and row-level security is forced on the table's owner too. */
export const runsCallsLedger = {
  name: '0001-runs-calls-ledger',
  sql: `
-- The assistant's role reads what is made in this schema from here on, and writes only what it is given. Nobody makes
-- temporary tables, which could be taken for ours.
do $$
declare assistant text := session_user || '_assistant';
begin
  execute format('grant usage on schema countersign to %I', assistant);
  execute format('alter default privileges in schema countersign grant select on tables to %I', assistant);
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- For the migrations of the assistant: these tables are its own.
create function give_to_assistant(variadic names text[]) returns void language plpgsql as $$
declare name text;
begin
  foreach name in array names loop
    execute format('grant insert, update, delete on %I to %I', name, session_user || '_assistant');
  end loop;
end $$;
revoke execute on function give_to_assistant from public;

create table operators (
  id text primary key,
  created_at timestamptz not null,
  autonomy text not null default 'medium',
  policy_hash text,
  epoch integer not null default 1,
  paused_at timestamptz,
  paused_by text,
  event_seq bigint not null default 0,
  ledger_size bigint not null default 0
);

create table devices (
  operator_id text not null,
  id text primary key,
  name text not null,
  public_key text not null,
  added_at timestamptz not null,
  revoked_at timestamptz
);

create table sessions (
  operator_id text not null,
  id text primary key,
  title text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  active_run_id text,
  label json not null
);
create index sessions_recent on sessions (operator_id, updated_at desc);

create table inputs (
  operator_id text not null,
  id text primary key,
  session_id text not null references sessions (id),
  run_id text,
  key text not null,
  mode text not null,
  -- Taken under the session's lock: the order of the lane, whatever the clocks of several hosts say.
  position bigint generated always as identity,
  text text not null,
  requester json not null,
  state text not null check (state in ('queued', 'running', 'steering', 'done')),
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index inputs_queued on inputs (session_id, position) where state = 'queued';
create index inputs_run on inputs (run_id);

create table runs (
  operator_id text not null,
  id text primary key,
  session_id text not null references sessions (id),
  input_id text not null references inputs (id),
  kind text not null check (kind in ('agent', 'undo')),
  state text not null check (state in ('running', 'parked', 'stopped')),
  parked_on text,
  reason text,
  message text not null default '',
  segment integer not null default 1,
  fence integer not null default 0,
  turn integer not null default 0,
  tool_calls integer not null default 0,
  active_ms bigint not null default 0,
  stop_requested_at timestamptz,
  stop_requested_by text,
  label json not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index runs_session on runs (session_id, id);
create index runs_recent on runs (operator_id, id desc);
create index runs_live on runs (operator_id, state) where state <> 'stopped';

create table messages (
  operator_id text not null,
  session_id text not null references sessions (id),
  run_id text not null references runs (id),
  turn integer not null,
  position bigint generated always as identity,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  label json not null,
  at timestamptz not null,
  primary key (session_id, position)
);
create index messages_run on messages (run_id, position);

create table calls (
  operator_id text not null,
  id text primary key,
  session_id text not null,
  run_id text not null references runs (id),
  turn integer not null,
  position integer not null,
  model_id text not null,
  model_tool text not null,
  raw_args text not null,
  tool text not null,
  args text not null,
  headline text not null,
  tier smallint,
  decision json,
  state text not null check (state in ('proposed', 'asked', 'approved', 'intended', 'unknown', 'ended')),
  outcome text,
  attempt integer not null default 1,
  nonce text,
  permit json,
  approval_id text,
  result_text text not null default '',
  summary text not null default '',
  undo json,
  undone_by text,
  output_label json,
  intended_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  unique (run_id, turn, position)
-- A call is written three times; no index has a column that changes, and its page has room for the next version.
) with (fillfactor = 60);

create table approvals (
  operator_id text not null,
  id text primary key,
  code text not null,
  call_id text not null references calls (id),
  run_id text not null references runs (id),
  session_id text not null,
  state text not null check (state in ('pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded')),
  tier smallint not null,
  digest text not null,
  subject text not null,
  card json not null,
  agent_says text not null,
  seal json,
  spent_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  reason text,
  offers json not null
);
create unique index approvals_code on approvals (operator_id, code) where state = 'pending';
create index approvals_by_code on approvals (operator_id, code);
create index approvals_recent on approvals (operator_id, state, id desc);
create index approvals_call on approvals (call_id);
create index approvals_run on approvals (run_id);

create table questions (
  operator_id text not null,
  id text primary key,
  kind text not null check (kind in ('operator', 'unknown')),
  call_id text not null references calls (id),
  run_id text not null references runs (id),
  session_id text not null,
  text text not null,
  choices json not null,
  state text not null check (state in ('open', 'answered', 'withdrawn')),
  answer text,
  created_at timestamptz not null
);
create index questions_open on questions (operator_id, id) where state = 'open';
create index questions_run on questions (run_id);

create table grants (
  operator_id text not null,
  id text primary key,
  tool text not null,
  covers json not null,
  sentence text not null,
  session_id text,
  run_id text,
  approval_id text not null references approvals (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  max_uses integer not null,
  uses integer not null default 0,
  revoked_at timestamptz
);
create index grants_live on grants (operator_id, tool) where revoked_at is null;

create table events (
  operator_id text not null,
  seq bigint not null,
  at timestamptz not null,
  body json not null,
  primary key (operator_id, seq)
);

create table ledger_entries (
  operator_id text not null,
  seq bigint not null,
  type text not null,
  run_id text,
  call_id text,
  approval_id text,
  body text not null,
  leaf bytea not null,
  primary key (operator_id, seq)
);
create index ledger_entries_call on ledger_entries (call_id) where call_id is not null;
create index ledger_entries_run on ledger_entries (run_id) where run_id is not null;

create table checkpoints (
  operator_id text not null,
  size bigint not null,
  frontier bytea not null,
  note text not null,
  at timestamptz not null,
  primary key (operator_id, size)
);

-- Ends a unit of work: numbers its entries and events and writes them, in one statement, because the operator's row
-- stays locked from here to the commit. An entry arrives as the text before and after its number.
create function close_unit(
  operator text, closed_at timestamptz, types text[], runs text[], calls text[], approvals text[],
  heads text[], tails text[], bodies json[], out last_entry bigint, out last_event bigint
) language plpgsql as $$
declare
  entry_count bigint := cardinality(heads);
  event_count bigint := cardinality(bodies);
begin
  update operators set ledger_size = ledger_size + entry_count, event_seq = event_seq + event_count
    where id = operator returning ledger_size, event_seq into strict last_entry, last_event;
  insert into ledger_entries (operator_id, seq, type, run_id, call_id, approval_id, body, leaf)
    select operator, numbered.seq, numbered.type, numbered.run, numbered.call, numbered.approval, numbered.body,
           sha256('\\x00'::bytea || convert_to(numbered.body, 'UTF8'))
    from (
      select u.type, u.run, u.call, u.approval, last_entry - entry_count + u.place as seq,
             u.head || (last_entry - entry_count + u.place) || u.tail as body
      from unnest(types, runs, calls, approvals, heads, tails) with ordinality
        as u (type, run, call, approval, head, tail, place)
    ) as numbered;
  insert into events (operator_id, seq, at, body)
    select operator, last_event - event_count + u.place, closed_at, u.body
    from unnest(bodies) with ordinality as u (body, place);
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger checkpoints_append_only before update or delete or truncate on checkpoints
  for each statement execute function refuse_change();

do $$
declare name text;
begin
  foreach name in array array['sessions', 'inputs', 'runs', 'messages', 'calls', 'approvals', 'questions', 'grants',
                              'events', 'ledger_entries', 'checkpoints'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own on %I using (operator_id = current_setting(''app.operator'', true))', name);
  end loop;
end $$;

alter table operators enable row level security;
alter table operators force row level security;
create policy own on operators using (id = current_setting('app.operator', true));

-- A device is looked up before its operator is known: that one row, by its id.
alter table devices enable row level security;
alter table devices force row level security;
create policy own on devices
  using (operator_id = current_setting('app.operator', true) or id = current_setting('app.device', true))
  with check (operator_id = current_setting('app.operator', true));

create function look_up_device(wanted text) returns setof devices language plpgsql as $$
begin
  perform set_config('app.device', wanted, true);
  return query select * from devices where id = wanted;
  perform set_config('app.device', '', true);
end $$;
revoke execute on function look_up_device from public;

-- Work that a process must find without knowing the operator. Ids and times only, no content.
create table segments (
  run_id text not null,
  segment integer not null,
  operator_id text not null,
  created_at timestamptz not null,
  primary key (run_id, segment)
);
create table deadlines (
  approval_id text primary key,
  operator_id text not null,
  due_at timestamptz not null
);
create index deadlines_due on deadlines (due_at);
revoke execute on function close_unit from public;
`,
} as const
