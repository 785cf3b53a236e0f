/** What the operator's own words ask for, listed once for each of their messages. */
export const askedFor = {
  name: '0013-asked-for',
  sql: `
create table asked_for (
  operator_id text not null,
  id text not null,
  session_id text not null,
  run_id text not null,
  -- The last of the operator's inputs that was read for it.
  said_to bigint not null,
  items json not null,
  at timestamptz not null,
  taken_back_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, run_id, said_to)
);
create index asked_for_session on asked_for (operator_id, session_id);
alter table asked_for enable row level security;
alter table asked_for force row level security;
create policy own on asked_for using (operator_id = current_setting('app.operator', true));
`,
} as const
