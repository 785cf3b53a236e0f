/** The files that go with a message, as data beside its words, and the pictures that a call made. */
export const attachments = {
  name: '0017-attachments',
  sql: `
alter table inputs add column attachments json not null default '[]';
alter table messages add column attachments json not null default '[]';
alter table calls add column pictures json;
`,
} as const
