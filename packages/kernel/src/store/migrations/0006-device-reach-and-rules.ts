/** What a device may decide, rules that stand, exchanges about a request, and events by session and run. */
export const deviceReachAndRules = {
  name: '0006-device-reach-and-rules',
  sql: `
alter table devices add column reach smallint not null default 3;
alter table devices add column platform text not null default '';
-- What the operator asked about a request and was told, and the request that an edited one took the place of.
alter table approvals add column asked json not null default '[]';
alter table approvals add column replaces text;
-- The request that the operator edited into this call as it is now.
alter table calls add column edited_from text;
-- A rule may hold for one agent or one goal, and be used as often as it comes.
alter table grants add column agent text;
alter table grants add column goal text;
alter table grants add column last_used_at timestamptz;
alter table grants alter column max_uses drop not null;

alter table events add column session_id text generated always as (body->>'session') stored;
alter table events add column run_id text generated always as (body->>'run') stored;
create index events_session on events (operator_id, session_id, seq) where session_id is not null;
create index events_run on events (operator_id, run_id, seq) where run_id is not null;
`,
} as const
