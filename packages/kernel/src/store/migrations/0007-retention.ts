/** What was removed by age: how far the log was gone through, and the runs whose details are gone. */
export const retention = {
  name: '0007-retention',
  sql: `
alter table operators add column events_removed_to bigint not null default 0;
alter table runs add column details_removed_at timestamptz;
create index runs_detailed on runs (operator_id, ended_at)
  where state = 'stopped' and details_removed_at is null;
`,
} as const
