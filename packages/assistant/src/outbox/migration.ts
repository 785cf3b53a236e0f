import { ownTables } from '../own-tables.ts'

/** Messages that were sent in a transaction and go to their lane after it. */
export const outboxMigration = {
  name: 'assistant-outbox-1',
  sql: `
create table outbox (
  operator_id text not null,
  key text not null,
  message json not null,
  at timestamptz not null,
  primary key (operator_id, key)
);
${ownTables('outbox')}
`,
} as const
