/** Conversations of which nothing is kept: marked from their first message, and when they are to end. */
export const privateConversations = {
  name: '0022-private-conversations',
  sql: `
alter table sessions add column private boolean not null default false;
alter table sessions add column ends_at timestamptz;
create index sessions_private on sessions (operator_id) where private;
`,
} as const
