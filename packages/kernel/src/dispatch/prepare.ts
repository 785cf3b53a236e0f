/** Owns the way from the model's raw text to a canonical call. Parses once, strictly; meta-tools are unwrapped here. */
import {
  canonicalText,
  forDisplay,
  type JsonObject,
  parseStrict,
  type ToolCatalogue,
  type ToolFacts,
} from '@countersign/contract'

/** A call as the model wrote it. */
export interface ProposedCall {
  readonly tool: string
  readonly args: string
}

/** The one form that policy sees, people see, and the executor runs. */
export interface CanonicalCall {
  readonly tool: ToolFacts
  readonly args: string
  readonly value: JsonObject
  readonly headline: string
}

export type Prepared =
  | { readonly kind: 'canonical'; readonly call: CanonicalCall }
  | { readonly kind: 'invalid'; readonly tool: string; readonly reason: string }

const deepestNesting = 3

export function prepare(proposed: ProposedCall, catalogue: ToolCatalogue): Prepared {
  const parsed = parseStrict(proposed.args.trim() === '' ? '{}' : proposed.args)
  if (parsed.kind === 'refused')
    return invalid(proposed.tool, `The arguments are not valid JSON: ${parsed.reason}.`)
  return unwrap(proposed.tool, parsed.value, catalogue, deepestNesting)
}

function unwrap(name: string, value: unknown, catalogue: ToolCatalogue, levels: number): Prepared {
  const tool = catalogue.find(name)
  if (!tool) return invalid(name, `There is no tool named ${name}.`)
  const parsed = tool.parse(value)
  if (parsed.kind === 'invalid')
    return invalid(name, `The arguments do not fit ${name}: ${parsed.problems.join('; ')}.`)
  if (!tool.unwrap) {
    const headline = forDisplay(tool.describe(parsed.args)).text
    return {
      kind: 'canonical',
      call: { tool, args: canonicalText(parsed.args), value: parsed.args, headline },
    }
  }
  if (levels === 0) return invalid(name, 'The call is nested too deeply.')
  const inner = tool.unwrap(parsed.args)
  if (inner.kind === 'many') return invalid(name, 'Several calls at once are not possible here.')
  return unwrap(inner.call.tool, inner.call.args, catalogue, levels - 1)
}

function invalid(tool: string, reason: string): Prepared {
  return { kind: 'invalid', tool, reason }
}
