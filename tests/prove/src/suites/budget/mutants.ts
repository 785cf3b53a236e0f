/** The mutants: functions of the database in a broken version. The product has no switch for this. */

/** The true function goes on under another name. */
const wrapped = (name: string, parameters: string, body: string) => `
alter function ${name}(${parameters}) rename to ${name}_as_it_was;
create function ${name}(${body}`

export const mutants = {
  /** Says yes to everything and counts nothing. */
  'reserves-nothing': wrapped(
    'reserve_call',
    'json, json',
    `call json, periods json) returns json language plpgsql as $$
begin
  insert into model_calls (operator_id, id, run_id, session_id, agent, goal, schedule, person, unattended, purpose,
    provider, model, state, reserved, counted, started_at)
  values (current_setting('app.operator'), call->>'id', call->>'run', call->>'session', call->>'agent', call->>'goal',
    call->>'schedule', call->>'person', (call->>'unattended')::boolean, call->>'purpose', call->>'provider',
    call->>'model', 'reserved', (call->>'worst')::bigint, '[]', (call->>'at')::timestamptz);
  return json_build_object('short', null);
end $$;`,
  ),
  /** A call that brought no reply costs nothing. */
  'forgets-undelivered': wrapped(
    'settle_call',
    'json',
    `spent json) returns json language sql as $$
  select settle_call_as_it_was(case when spent->>'outcome' in ('delivered', 'lost') then spent
    else (spent::jsonb || '{"cost": 0}')::json end)
$$;`,
  ),
  /** What a call came to is booked once more after it was booked. */
  'double-settle': wrapped(
    'settle_call',
    'json',
    `spent json) returns json language plpgsql as $$
declare
  answer json := settle_call_as_it_was(spent);
  call model_calls;
begin
  select * into call from model_calls where id = spent->>'id';
  update budget_periods p set spent = p.spent + call.cost
    where answer is not null and p.id in (select held::bigint from json_array_elements_text(call.counted) as held);
  return answer;
end $$;`,
  ),
  /** What a dead process left under way is taken for not made. */
  'lost-is-free': wrapped(
    'settle_call',
    'json',
    `spent json) returns json language sql as $$
  select settle_call_as_it_was(case when spent->>'outcome' = 'lost' then (spent::jsonb || '{"cost": 0}')::json
    else spent end)
$$;`,
  ),
} as const satisfies Record<string, string>

export type Mutant = keyof typeof mutants

export const mutantNames = Object.keys(mutants) as readonly Mutant[]

export function mutantSql(name: string): string {
  const known = mutantNames.find((each) => each === name)
  if (known === undefined) throw new Error(`no mutant ${name}`)
  return mutants[known]
}
