/** Questions that a server asks during a call, with the form and what was said to it. */
export const serverQuestions = {
  name: '0032-server-questions',
  sql: `
alter table questions drop constraint questions_kind_check;
alter table questions add constraint questions_kind_check check (kind in ('operator', 'unknown', 'server'));
alter table questions add column server json check ((server is null) = (kind <> 'server'));
alter table questions add column reply json;
`,
} as const
