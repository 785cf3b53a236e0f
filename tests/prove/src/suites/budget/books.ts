/** Owns a look into the books from outside, past everything that the product says of them, and a witness of the limit. */
import type { Installation } from '@countersign/harness'
import pg from 'pg'

export interface Books {
  calls(): Promise<readonly BookedCall[]>
  /** What stands in the present period of the limit. */
  period(): Promise<Period>
  /** The sum of all corrections. */
  adjusted(): Promise<number>
  /** The most that was spent and set aside at any moment, beyond what was allowed on top. */
  highest(): Promise<number>
  change(sql: string): Promise<void>
  close(): Promise<void>
}

/** Amounts are billionths of a dollar. */
export interface BookedCall {
  readonly id: string
  readonly run: string
  readonly state: string
  readonly outcome: string | null
  readonly reserved: number
  readonly cost: number
  readonly estimated: boolean
}

export interface Period {
  readonly spent: number
  readonly reserved: number
  readonly extra: number
}

export const limitName = 'global:month'

/** Sees every change of a period at the moment at which it is made. */
const witness = `
create table witnessed (budget text primary key, highest bigint not null);
create function witness_period() returns trigger language plpgsql as $$
begin
  insert into witnessed values (new.budget, new.spent + new.reserved - new.extra)
  on conflict (budget) do update set highest = greatest(witnessed.highest, excluded.highest);
  return new;
end $$;
create trigger witness after insert or update on budget_periods for each row execute function witness_period();`

export async function openBooks(installation: Installation): Promise<Books> {
  const client = new pg.Client({
    ...installation.databaseConnection(),
    types: {
      getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)),
    },
  })
  await client.connect()
  await client.query("select set_config('app.operator', $1, false)", [installation.identity.trust.operator])
  await client.query(witness)
  const rowsOf = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(sql)).rows

  return {
    calls: () =>
      rowsOf<BookedCall>(
        'select id, run_id as run, state, outcome, reserved, cost, estimated from model_calls order by id',
      ),
    async period() {
      const [row] = await rowsOf<Period>(
        `select spent, reserved, extra from budget_periods where budget = '${limitName}'`,
      )
      return row ?? { spent: 0, reserved: 0, extra: 0 }
    },
    async adjusted() {
      const [row] = await rowsOf<{ sum: number }>(
        'select coalesce(sum(cost), 0)::bigint as sum from cost_adjustments',
      )
      return row?.sum ?? 0
    },
    async highest() {
      const [row] = await rowsOf<{ highest: number }>(
        `select highest from witnessed where budget = '${limitName}'`,
      )
      return row?.highest ?? 0
    },
    async change(sql) {
      await client.query(sql)
    },
    close: () => client.end(),
  }
}

const bigint = 20
