/** Counts statements and transactions of every connection to PostgreSQL, and knows how many are still under way. */
import pg from 'pg'
import { callerOf } from './caller.ts'
import type { Trace } from './trace.ts'

export interface Statements {
  /** Statements without an answer, and connections that are being opened. */
  unanswered(): number
}

type Method = (this: pg.Client, ...given: unknown[]) => unknown

export function countStatements(trace: Trace): Statements {
  const open = new WeakSet<pg.Client>()
  let unanswered = 0

  /** A statement outside of a transaction is one by itself. */
  function note(client: pg.Client, statement: unknown): void {
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
    const [verb = ''] = /\w+/.exec(text.toLowerCase()) ?? []
    if (!open.has(client)) trace('transaction', text)
    if (verb === 'begin' || verb === 'start') open.add(client)
    if (verb === 'commit' || verb === 'rollback') open.delete(client)
    trace('statement', `${text.slice(0, 150)}  <  ${callerOf()}`)
  }

  /** Calls a method that answers with a promise, or to a function in the last place. */
  function awaited(method: Method, client: pg.Client, given: readonly unknown[]): unknown {
    unanswered += 1
    const answered = () => {
      unanswered -= 1
    }
    const last = given.at(-1)
    if (typeof last !== 'function') {
      const answer = method.apply(client, [...given]) as Promise<unknown>
      answer.then(answered, answered)
      return answer
    }
    const told = (...answer: unknown[]) => {
      answered()
      last(...answer)
    }
    return method.apply(client, [...given.slice(0, -1), told])
  }

  const prototype = pg.Client.prototype as unknown as Record<'query' | 'connect', Method>
  const { query, connect } = prototype
  prototype.query = function counted(...given) {
    note(this, given[0])
    return awaited(query, this, given)
  }
  prototype.connect = function awaitedConnect(...given) {
    return awaited(connect, this, given)
  }
  return { unanswered: () => unanswered }
}
