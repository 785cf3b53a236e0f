/** Which model the operator chose for the message that a run answers. */
export const runModel = {
  name: '0010-run-model',
  sql: `alter table runs add column model text;`,
} as const
