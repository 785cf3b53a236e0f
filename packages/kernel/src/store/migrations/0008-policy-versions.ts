/** The policies that were in force, each as a whole, and what each call was decided by. */
export const policyVersions = {
  name: '0008-policy-versions',
  sql: `
create table policy_versions (
  operator_id text not null,
  number integer not null,
  -- Of the rules as they are evaluated, and of the document to the last byte.
  hash text not null,
  digest text not null,
  document json not null,
  loosens json not null,
  by_kind text not null,
  by_id text not null,
  at timestamptz not null,
  seal json,
  -- When the files of this machine said the same; until then the row holds and not the files.
  written_at timestamptz,
  primary key (operator_id, number)
);
alter table policy_versions enable row level security;
alter table policy_versions force row level security;
create policy own on policy_versions using (operator_id = current_setting('app.operator', true));

alter table calls add column judged json;
`,
} as const
