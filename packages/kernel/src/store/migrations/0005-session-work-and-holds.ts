/** Who works in a session and for what, what an input is worth, and goals whose work is held. */
export const sessionWorkAndHolds = {
  name: '0005-session-work-and-holds',
  sql: `
-- Who works in it, for whoever writes there without saying; null is the operator's assistant.
alter table sessions add column work json;
-- Messages up to this position are archived and no longer shown to a model.
alter table sessions add column archived_to bigint not null default 0;
-- What the words are worth, where they are not the operator's own.
alter table inputs add column label json;
-- The run that began this one, and the record that it is done for.
alter table runs add column parent text;
alter table runs add column about text;
create index runs_parent on runs (parent) where parent is not null;
create index runs_about on runs (operator_id, about) where about is not null;
create index runs_goal on runs (operator_id, goal) where goal is not null;
-- A grant that was given ahead for the calls of a plan comes of no request.
alter table grants alter column approval_id drop not null;

create table held_goals (
  operator_id text not null,
  goal text not null,
  at timestamptz not null,
  primary key (operator_id, goal)
);
alter table held_goals enable row level security;
alter table held_goals force row level security;
create policy own on held_goals using (operator_id = current_setting('app.operator', true));
`,
} as const
