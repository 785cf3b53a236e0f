/** What would have to be looked up for the operator's words, beside what they ask for. */
export const listedQuestions = {
  name: '0016-listed-questions',
  sql: `
alter table asked_for add column questions json not null default '[]';
-- The turn of the run in which its model was told them, which happens once.
alter table asked_for add column told_turn integer;
`,
} as const
