/**
 * For which team an agent answers, tools of one conversation, what programs keep with a message, and what a model thought
 * before it replied.
 */
export const teamsToolsMetadata = {
  name: '0027-teams-tools-metadata',
  sql: `
alter table runs add column team text;
alter table sessions add column extra_tools jsonb not null default '[]';
alter table inputs add column metadata jsonb not null default '{}';
alter table messages add column metadata jsonb not null default '{}';
alter table messages add column reasoning text;
`,
} as const
