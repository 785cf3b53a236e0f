/** Says what a tool took from its surroundings that only its capabilities may give. */
import type { Ambient } from './ambient.ts'
import { type Check, openCheck } from './check.ts'

export function checkImports(ambient: Ambient, isBuiltIn: boolean): Check {
  const findings = openCheck('imports')
  if (isBuiltIn) return findings.skip('it is built in, and its imports are checked with the product')
  for (const { sentence, fix } of ambient.uses()) findings.problem(sentence, fix)
  const imported = ambient.imported()
  if (findings.hasProblems()) return findings.end('it takes what only its capabilities may give')
  return findings.end(imported.length === 0 ? 'nothing of the runtime' : `only ${imported.join(', ')}`)
}
