/** How many turns the run of a message may take, where the message says it. */
export const turnsOfAMessage = {
  name: '0030-turns-of-a-message',
  sql: `
alter table inputs add column most_turns integer check (most_turns > 0);
alter table runs add column most_turns integer check (most_turns > 0);
`,
} as const
