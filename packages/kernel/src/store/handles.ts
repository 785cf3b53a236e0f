/**
 * The two handles on one connection: the kernel's own, and one for code outside of the kernel. A statement of the second
 * runs under the assistant's role, which PostgreSQL lets read the operator's rows and write only the assistant's tables.
 *
 * The role is set on the connection of the kernel, because what the assistant writes commits together with what the
 * kernel writes. So this file keeps statements out that could take the role off again: each message is one statement,
 * and only queries and changes of rows pass.
 */
import type { OperatorId } from '@countersign/contract'
import { databaseOn, preparedNames } from '@countersign/database'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { KernelTables, Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** Reads every table of the kernel and writes none; whoever has tables of their own adds their types. */
export type LimitedDb = Kysely<KernelTables>

export type Reader = <T>(operator: OperatorId, work: (db: LimitedDb) => Promise<T>) => Promise<T>

export type Role = 'kernel' | 'limited'

/** The handles of one piece of work. When it is over they are: the connection is somebody else's then. */
export interface Handles {
  readonly db: Db
  readonly limited: LimitedDb
  /** What is sent behind the beginning of a transaction, to give it its role. */
  beginAs(role: Role): string
  /** Statements that are sent from here on, past the handles, run under the kernel's role. */
  backToKernel(): void
  end(): void
}

/** Gives each piece of work on a connection handles of its own. */
export type OpenHandles = () => Handles

/** The role of the assistant for a database whose kernel logs in as this user. */
export function assistantRole(user: string): string {
  return `${user}_assistant`
}

export function handlesOn(client: pg.PoolClient, user: string): OpenHandles {
  const statements: Readonly<Record<Role, string>> = {
    kernel: 'set local role none',
    limited: `set local role ${quoted(assistantRole(user))}`,
  }
  const names = { store: preparedNames('store'), limited: preparedNames('limited') }
  let current: Role = 'kernel'

  function become(role: Role): void {
    if (current === role) return
    current = role
    // Where this fails the transaction has failed, and PostgreSQL refuses every statement that follows.
    client.query(statements[role]).catch(() => undefined)
  }

  return () => {
    let isOver = false
    const refuseLate = () => {
      if (isOver) throw new Error('A statement came after the end of the work that its handle was for.')
    }
    return {
      db: databaseOn<Tables>(client, {
        names: names.store,
        before() {
          refuseLate()
          become('kernel')
        },
      }),
      limited: databaseOn<KernelTables>(client, {
        names: names.limited,
        before(text) {
          refuseLate()
          refuseControl(text)
          become('limited')
        },
      }),
      beginAs(role) {
        current = role
        return role === 'kernel' ? '' : `; ${statements[role]}`
      },
      backToKernel: () => become('kernel'),
      end() {
        isOver = true
      },
    }
  }
}

const rowStatement = /^[\s(]*(?:select|insert|update|delete|with)\b/i
/**
 * A setting may be the role itself, and its view can be written like a table. Some functions run a text that they are
 * given as a statement, in which the name of another could be put together; an escaped name could hide either.
 */
const changesSettings = /set_config|pg_settings|pg_file_settings|u&["']/i
const runsText =
  /ts_stat|ts_rewrite|_to_xml|dblink|pg_notify|lo_(?:create|import|export|put|unlink|from_bytea)|lowrite/i

/** Keeps out what could end the transaction, or take the role off: `commit`, `set role`, `do`, `set_config`, `ts_stat` and the like. */
export function refuseControl(text: string): void {
  if (rowStatement.test(text) && !changesSettings.test(text) && !runsText.test(text)) return
  throw new Error(
    `Code outside of the kernel may only read and change rows, and this statement does something else: ${text.trim().slice(0, 80)}`,
  )
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
