import { ownTables } from '../own-tables.ts'

/** When each event of the calendar is told, and whether it was. */
export const remindersMigration = {
  name: 'assistant-reminders-1',
  sql: `
create table reminders (
  operator_id text not null,
  event text not null,
  -- The record that was looked at last.
  record_version integer not null,
  starts_at timestamptz not null,
  -- Null where nobody wants to be told, or the event was over when it was written.
  due_at timestamptz,
  -- The time for which it was told: an event that moves is told again, and nothing is told twice for one time.
  told_for timestamptz,
  primary key (operator_id, event)
);
create index reminders_open on reminders (operator_id, due_at) where due_at is not null and due_at is distinct from told_for;
${ownTables('reminders')}
`,
} as const
