/** Every call to a provider and its cost, the limits of money, and runs that wait for a provider to recover. */
export const modelCostsAndBudgets = {
  name: '0004-model-costs-and-budgets',
  sql: `
alter table operators add column held_at timestamptz;
alter table operators add column held_because text;
alter table operators add column released_at timestamptz;

-- What the input is worked on for; null is the operator's own conversation.
alter table inputs add column work json;
alter table runs add column agent text not null default 'assistant';
alter table runs add column goal text;
alter table runs add column schedule text;
alter table runs add column unattended boolean not null default false;
-- Tries after which the model still failed; a reply sets it back.
alter table runs add column retries smallint not null default 0;
-- Until when it waits, the how manieth try of how many follows, and why; null while it does not wait.
alter table runs add column retry json;

-- Runs that go on by themselves. Ids and times only, like segments and deadlines.
create table wakeups (
  run_id text primary key,
  operator_id text not null,
  due_at timestamptz not null
);
create index wakeups_due on wakeups (due_at);

create table model_calls (
  operator_id text not null,
  id text primary key,
  run_id text,
  session_id text,
  agent text not null,
  goal text,
  schedule text,
  -- Who asked, where that was not the operator.
  person text,
  unattended boolean not null,
  purpose text not null,
  provider text not null,
  model text not null,
  state text not null check (state in ('reserved', 'settled')),
  outcome text,
  reserved bigint not null,
  cost bigint not null default 0,
  input bigint not null default 0,
  output bigint not null default 0,
  cached bigint not null default 0,
  reasoning bigint not null default 0,
  estimated boolean not null default false,
  first_token_ms bigint,
  total_ms bigint,
  -- The periods that hold the reservation, by their id.
  counted json not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index model_calls_recent on model_calls (operator_id, started_at);
create index model_calls_run on model_calls (run_id);
create index model_calls_session on model_calls (session_id);
create index model_calls_person on model_calls (operator_id, person, started_at) where person is not null;
create index model_calls_unattended on model_calls (operator_id, started_at) where unattended;
create index model_calls_open on model_calls (operator_id, started_at) where state = 'reserved';

create table budgets (
  operator_id text not null,
  name text not null,
  scope text not null,
  subject text,
  period text not null,
  limit_nanos bigint not null check (limit_nanos >= 0),
  hard boolean not null,
  set_at timestamptz not null,
  primary key (operator_id, name)
);

create table budget_periods (
  operator_id text not null,
  budget text not null,
  subject text not null,
  period text not null,
  spent bigint not null default 0,
  reserved bigint not null default 0,
  -- What the operator allowed on top.
  extra bigint not null default 0,
  -- The highest share that was told, in percent.
  told smallint not null default 0,
  from_at timestamptz not null,
  until_at timestamptz,
  -- A limit that is set anew has a new one: calls of the old one are in \`spent\` as they stood then.
  id bigint generated always as identity,
  primary key (operator_id, budget, subject, period)
);

-- What a provider's bill says that the recorded costs do not.
create table cost_adjustments (
  operator_id text not null,
  id text primary key,
  provider text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  cost bigint not null,
  at timestamptz not null
);

do $$
declare name text;
begin
  foreach name in array array['model_calls', 'budgets', 'budget_periods', 'cost_adjustments'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own on %I using (operator_id = current_setting(''app.operator'', true))', name);
  end loop;
end $$;

-- What a limit that is new in its period begins with. A limit for one call holds nothing of the calls before it.
create function spent_since(scope text, whose text, since timestamptz) returns bigint language plpgsql stable as $$
declare
  operator text := current_setting('app.operator');
  total bigint;
begin
  if scope = 'call' then return 0; end if;
  if scope = 'run' then
    select sum(case m.state when 'reserved' then m.reserved else m.cost end) into total
      from model_calls m where m.run_id = whose;
  elsif scope = 'session' then
    select sum(case m.state when 'reserved' then m.reserved else m.cost end) into total
      from model_calls m where m.session_id = whose;
  else
    select sum(case m.state when 'reserved' then m.reserved else m.cost end) into total
      from model_calls m
      where m.operator_id = operator and m.started_at >= since
        and case scope when 'global' then true when 'unattended' then m.unattended
          when 'agent' then m.agent = whose when 'goal' then m.goal = whose else m.schedule = whose end;
  end if;
  if scope <> 'global' then return coalesce(total, 0); end if;
  return coalesce(total, 0) + (select coalesce(sum(a.cost), 0) from cost_adjustments a
    where a.operator_id = operator and a.from_at + (a.to_at - a.from_at) / 2 >= since);
end $$;

-- Sets the worst case of a call aside in every limit that it falls under, in one order, so that no two calls can wait
-- for each other. Nothing is set aside when the answer names a limit.
create function reserve_call(call json, periods json) returns json language plpgsql as $$
declare
  operator text := current_setting('app.operator');
  worst bigint := (call->>'worst')::bigint;
  limits record;
  whose text;
  span json;
  taken budget_periods;
  counted bigint[] := '{}';
begin
  -- Together with other calls, and not with whoever changes the limits.
  perform pg_advisory_xact_lock_shared(hashtext('countersign/budgets/' || operator));
  if (call->>'unattended')::boolean and exists (select 1 from operators where held_at is not null) then
    return json_build_object('short', 'guard', 'subject', '', 'period', '', 'limit', 0, 'taken', 0);
  end if;
  for limits in
    select b.name, b.scope, b.subject, b.period, b.limit_nanos, b.hard from budgets b
    union all
    select 'unattended:month', 'unattended', null, 'month', 0, true
    where not exists (select 1 from budgets where scope = 'unattended' and hard)
    order by 1
  loop
    continue when limits.scope = 'unattended' and not (call->>'unattended')::boolean;
    whose := case
      when limits.scope in ('global', 'unattended') then ''
      when limits.scope = 'call' then call->>'run'
      else call->>limits.scope end;
    continue when limits.scope not in ('global', 'unattended', 'call')
      and (whose is null or whose <> coalesce(limits.subject, whose));
    whose := coalesce(whose, '');
    span := periods->limits.period;
    insert into budget_periods (operator_id, budget, subject, period, spent, from_at, until_at)
    select operator, limits.name, whose, span->>'key',
      spent_since(limits.scope, whose, (span->>'from')::timestamptz),
      (span->>'from')::timestamptz, (span->>'until')::timestamptz
    where not exists (select 1 from budget_periods p where p.operator_id = operator
      and p.budget = limits.name and p.subject = whose and p.period = span->>'key')
    on conflict do nothing;
    select p.* into taken from budget_periods p where p.operator_id = operator
      and p.budget = limits.name and p.subject = whose and p.period = span->>'key' for update;
    if limits.hard and worst > 0 and taken.spent + taken.reserved + worst > limits.limit_nanos + taken.extra then
      return json_build_object('short', limits.name, 'subject', whose, 'period', span->>'key',
        'limit', limits.limit_nanos + taken.extra, 'taken', taken.spent + taken.reserved);
    end if;
    if limits.scope <> 'call' then
      counted := array_append(counted, taken.id);
    end if;
  end loop;
  update budget_periods p set reserved = p.reserved + worst where p.operator_id = operator and p.id = any (counted);
  insert into model_calls (operator_id, id, run_id, session_id, agent, goal, schedule, person, unattended, purpose,
    provider, model, state, reserved, counted, started_at)
  values (operator, call->>'id', call->>'run', call->>'session', call->>'agent', call->>'goal', call->>'schedule',
    call->>'person', (call->>'unattended')::boolean, call->>'purpose', call->>'provider', call->>'model', 'reserved',
    worst, array_to_json(counted), (call->>'at')::timestamptz);
  return json_build_object('short', null);
end $$;

-- Books what a call came to. A call that was given up as lost, and then heard of again, is corrected.
-- Answers the limits of which a new share is used up.
create function settle_call(spent json) returns json language plpgsql as $$
declare
  operator text := current_setting('app.operator');
  amount bigint := (spent->>'cost')::bigint;
  call model_calls;
  taken budget_periods;
  ceiling bigint;
  share integer;
  reached json[] := '{}';
begin
  select m.* into call from model_calls m
    where m.operator_id = operator and m.id = spent->>'id'
      and (m.state = 'reserved' or (m.outcome = 'lost' and spent->>'outcome' <> 'lost')) for update;
  if not found then return null; end if;
  update model_calls m set state = 'settled', outcome = spent->>'outcome', cost = amount,
    input = (spent->>'input')::bigint, output = (spent->>'output')::bigint,
    cached = (spent->>'cached')::bigint, reasoning = (spent->>'reasoning')::bigint,
    estimated = (spent->>'estimated')::boolean, first_token_ms = (spent->>'firstTokenMs')::bigint,
    total_ms = (spent->>'totalMs')::bigint, ended_at = (spent->>'at')::timestamptz
    where m.operator_id = operator and m.id = call.id;
  for taken in
    select p.* from budget_periods p where p.operator_id = operator and (
      p.id in (select held::bigint from json_array_elements_text(call.counted) as held)
      -- A limit that was set while the call was under way took it over as it stood.
      or (p.from_at <= call.started_at and (p.until_at is null or call.started_at < p.until_at)
        and exists (select 1 from budgets b where b.operator_id = operator and b.name = p.budget
          and p.subject = case b.scope when 'global' then '' when 'unattended' then ''
            when 'agent' then call.agent when 'goal' then call.goal when 'schedule' then call.schedule
            when 'session' then call.session_id when 'run' then call.run_id end
          and (b.scope <> 'unattended' or call.unattended))))
    order by p.budget, p.subject, p.period for update
  loop
    if call.state = 'reserved'
      and taken.id in (select held::bigint from json_array_elements_text(call.counted) as held)
    then
      taken.reserved := taken.reserved - call.reserved;
      taken.spent := taken.spent + amount;
    else
      taken.spent := taken.spent + amount - case call.state when 'reserved' then call.reserved else call.cost end;
    end if;
    select b.limit_nanos + taken.extra into ceiling from budgets b
      where b.operator_id = operator and b.name = taken.budget;
    share := case when coalesce(ceiling, 0) = 0 then 0 when taken.spent >= ceiling then 100
      when taken.spent * 100 >= ceiling * 80 then 80 when taken.spent * 2 >= ceiling then 50 else 0 end;
    update budget_periods p set spent = taken.spent, reserved = taken.reserved, told = greatest(p.told, share)
      where p.operator_id = operator and p.budget = taken.budget and p.subject = taken.subject and p.period = taken.period;
    continue when share <= taken.told;
    reached := array_append(reached, json_build_object('budget', taken.budget, 'subject', taken.subject,
      'percent', share, 'spent', taken.spent, 'limit', ceiling));
  end loop;
  return json_build_object('reached', array_to_json(reached), 'unattended', call.unattended, 'run', call.run_id,
    'session', call.session_id, 'provider', call.provider, 'model', call.model, 'purpose', call.purpose);
end $$;
revoke execute on function reserve_call, settle_call from public;
`,
} as const
