/** Counts the values that are checked against a schema, in the four functions of zod that every check goes through. */
import { callerOf } from './caller.ts'
import { changeSource } from './changed-source.ts'
import type { Trace } from './trace.ts'

const check = 'schema._zod.run({ value, issues: [] }, ctx)'

/** Under this name the changed text finds the counter. */
const counter = 'countersign.ratchet.parse'

export function countParses(trace: Trace): void {
  Object.assign(globalThis, { [Symbol.for(counter)]: () => trace('parse', callerOf()) })
  const to = `(globalThis[Symbol.for('${counter}')](), ${check})`
  // Four that parse, and two that only validate.
  changeSource('/zod/v4/core/parse.js', [{ from: check, to, times: 6 }])
}
