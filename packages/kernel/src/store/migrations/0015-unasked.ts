/** What was held because nobody asked for it: one open row for a conversation, and the calls that are kept with it. */
export const unasked = {
  name: '0015-unasked',
  sql: `
alter table asked_for add column kinds json;
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check check (kind in ('agent', 'undo', 'direct', 'unasked'));
create table unasked (
  operator_id text not null,
  id text not null,
  session_id text not null,
  count integer not null,
  at timestamptz not null,
  closed_at timestamptz,
  primary key (operator_id, id)
);
create unique index unasked_open on unasked (operator_id, session_id) where closed_at is null;
alter table unasked enable row level security;
alter table unasked force row level security;
create policy own on unasked using (operator_id = current_setting('app.operator', true));
create table unasked_calls (
  operator_id text not null,
  unasked_id text not null,
  call_id text not null,
  again_run_id text,
  primary key (operator_id, call_id),
  foreign key (operator_id, unasked_id) references unasked (operator_id, id) on delete cascade
);
create index unasked_calls_row on unasked_calls (operator_id, unasked_id);
alter table unasked_calls enable row level security;
alter table unasked_calls force row level security;
create policy own on unasked_calls using (operator_id = current_setting('app.operator', true));
`,
} as const
