/** Owns this process's executor slot, a lock that lives exactly as long as one connection; refuses a slot in use. */
import pg from 'pg'
import { EngineProblem } from './problem.ts'

export interface Slot {
  readonly number: number
  /** Runs a query on the connection that holds the slot, so that a dead connection is noticed by its use. */
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]>
  /** Holds another lock of the same kind while working; answers false, without working, when it is taken. */
  holding(number: number, work: () => Promise<void>): Promise<boolean>
  /** Whether no other process holds a slot. */
  isAlone(): Promise<boolean>
  release(): Promise<void>
}

/** Not a slot: whoever holds it deletes finished work. */
export const RETENTION_LOCK = -1

export async function takeSlot(options: {
  connection: pg.ClientConfig
  maxSlots: number
  onLost(cause: unknown): void
}): Promise<Slot> {
  const client = new pg.Client({
    ...options.connection,
    keepAlive: true,
    application_name: 'countersign slot',
  })
  let released = false
  let lost = false
  const lose = (cause: unknown) => {
    if (released || lost) return
    lost = true
    options.onLost(cause)
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('The connection was closed by the server.')))

  const tryLock = async (number: number) => {
    const { rows } = await client.query<{ locked: boolean }>({
      name: 'countersign_lock',
      text: 'select pg_try_advisory_lock($1, $2) as locked',
      values: [LOCK_CLASS, number],
    })
    return rows[0]?.locked === true
  }
  const release = async () => {
    released = true
    await client.end()
  }

  try {
    await client.connect()
    await client.query(SESSION_SETTINGS)
    for (let number = 0; number < options.maxSlots; number++) {
      if (!(await tryLock(number))) continue
      return {
        number,
        query: async <Row extends pg.QueryResultRow>(query: pg.QueryConfig) =>
          (await client.query<Row>(query)).rows,
        holding: async (other, work) => {
          if (!(await tryLock(other))) return false
          try {
            await work()
          } finally {
            await client.query('select pg_advisory_unlock($1, $2)', [LOCK_CLASS, other])
          }
          return true
        },
        isAlone: async () => {
          const { rows } = await client.query<{ held: number }>({
            name: 'countersign_slots',
            text: `select count(distinct objid)::int as held from pg_locks
              where locktype = 'advisory' and granted and classid = $1 and objid < $2
                and database = (select oid from pg_database where datname = current_database())`,
            values: [LOCK_CLASS, options.maxSlots],
          })
          return rows[0]?.held === 1
        },
        release,
      }
    }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  throw new EngineProblem(
    'no_free_slot',
    `All ${options.maxSlots} executor slots are held by live processes.`,
  )
}

/** First key of our advisory locks: the letters "cnts". */
const LOCK_CLASS = 0x636e7473

/**
 * The lock of a host that lost power is freed only when the server notices; its default is two hours.
 * A socket file ignores the keep-alive settings. An idle session is the normal state here.
 */
const SESSION_SETTINGS = `
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set idle_session_timeout = 0;
`
