/** Where the conversation begins that a model is shown: the first message of the task that it is at. */
export const sessionWindow = {
  name: '0011-session-window',
  sql: `alter table sessions add column window_from bigint not null default 0;`,
} as const
