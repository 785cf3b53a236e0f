/** Grants that hold after untrusted content was read, and the end of those that nobody uses. */
export const grantsThatAnswer = {
  name: '0014-grants-that-answer',
  sql: `
alter table grants add column untrusted boolean not null default false;
alter table grants add column ended_unused_at timestamptz;
`,
} as const
