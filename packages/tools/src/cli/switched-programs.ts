/**
 * Owns that only programs which the operator switched on are started by name, and that the list tells which those are.
 * Where a call is read for the first time the model's own word for it is replaced.
 */
import type { ToolFacts } from '@countersign/contract'
import { textIn } from '../records/collection.ts'
import { listCliTools } from './list-cli-tools.ts'
import { listedProgram } from './program-list.ts'
import { runCliTool, unlisted } from './run-cli-tool.ts'

/** What a switch of a program is called, as in `countersign tool enable program:jq`. */
export function programOfSwitch(id: string): string | undefined {
  const name = /^program:(.+)$/.exec(id)?.[1]
  return name === undefined ? undefined : listedProgram(name)?.name
}

export function withPrograms(facts: ToolFacts, on: readonly string[]): ToolFacts {
  if (facts.name === listCliTools.name) return { ...facts, parse: (value) => facts.parse(told(value, on)) }
  if (facts.name !== runCliTool.name) return facts
  return {
    ...facts,
    parse(value) {
      const parsed = facts.parse(value)
      const name = parsed.kind === 'args' ? textIn(parsed.args, 'name') : ''
      if (parsed.kind === 'invalid' || on.includes(name)) return parsed
      const problem = listedProgram(name)
        ? `${name} is switched off. Only the operator can switch it on: \`countersign tool enable program:${name}\`.`
        : unlisted(name)
      return { kind: 'invalid', problems: [problem] }
    },
  }
}

function told(value: unknown, on: readonly string[]): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value, on: [...on] }
    : value
}
