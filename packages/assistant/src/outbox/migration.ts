/** Messages that were sent in a transaction and go to their lane after it. */
export const outboxMigration = {
  name: 'assistant-outbox-1',
  sql: `
create table outbox (
  operator_id text not null,
  key text not null,
  message json not null,
  at timestamptz not null,
  primary key (operator_id, key)
);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy own on outbox using (operator_id = current_setting('app.operator', true));
select give_to_assistant('outbox');
`,
} as const
