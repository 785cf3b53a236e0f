/** The files that go with a message, as data beside its words. */
export const attachments = {
  name: '0017-attachments',
  sql: `
alter table inputs add column attachments json not null default '[]';
alter table messages add column attachments json not null default '[]';
`,
} as const
