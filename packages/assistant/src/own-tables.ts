/** Owns how a migration makes the assistant's tables its own: each row is seen by its operator alone, and the assistant writes. */
export function ownTables(...names: readonly string[]): string {
  const own = names.map(
    (name) => `
alter table ${name} enable row level security;
alter table ${name} force row level security;
create policy own on ${name} using (operator_id = current_setting('app.operator', true));`,
  )
  return `${own.join('')}
select give_to_assistant(${names.map((name) => `'${name}'`).join(', ')});`
}
