/** Where a list shows a session: first, not at all unless it is asked for, or never again. */
export const sessionMarks = {
  name: '0009-session-marks',
  sql: `
alter table sessions add column pinned_at timestamptz;
alter table sessions add column hidden_at timestamptz;
alter table sessions add column removed_at timestamptz;
-- What a program keeps with it, by name.
alter table sessions add column metadata jsonb not null default '{}';
`,
} as const
