/** Runs that answer a call of another run: readers, which are told one question and nothing else. */
export const readers = {
  name: '0012-readers',
  sql: `
-- The call whose result this run's answer becomes. Only the kernel writes it: whoever has one is a reader.
alter table runs add column answers text;
create index runs_readers on runs (operator_id, parent) where answers is not null;
-- The run that reads for the call while it waits.
alter table calls add column reader text;
`,
} as const
