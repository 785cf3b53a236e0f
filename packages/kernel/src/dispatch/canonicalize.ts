/** Owns the way from the model's raw text to canonical calls. Parses once, strictly; meta-tools are unwrapped here. */
import {
  canonicalText,
  forDisplay,
  holdsMark,
  type JsonObject,
  type JsonValue,
  type Origin,
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
  /** Where the tool that stood for this call comes from, if it was made in a conversation. */
  readonly origin: Origin | null
}

export type SingleCanonicalResult =
  | { readonly kind: 'canonical'; readonly call: CanonicalCall }
  | { readonly kind: 'invalid'; readonly tool: string; readonly reason: string }

export type CanonicalResult =
  | SingleCanonicalResult
  /** The call stands for several, each with its own decision; its result is theirs together. */
  | {
      readonly kind: 'many'
      readonly tool: ToolFacts
      readonly headline: string
      readonly calls: readonly (SingleCanonicalResult & { readonly proposed: ProposedCall })[]
    }

const deepestNesting = 3
const longestHelp = 4_000

export function canonicalize(
  proposed: ProposedCall,
  catalogue: ToolCatalogue,
  by: 'model' | 'operator' = 'model',
): CanonicalResult {
  const parsed = parse(proposed)
  if (parsed.kind === 'invalid') return parsed
  // In the canonical text, where no spelling of a character can hide it.
  if (holdsMark(canonicalText(parsed.value as JsonValue))) {
    const reason =
      'The arguments contain the mark of a removed value. Write its handle instead: {{secret:name}}.'
    return invalid(proposed.tool, reason)
  }
  const tool = catalogue.find(proposed.tool)
  if (by === 'operator' && tool?.hidden && tool.byHand) return fit(tool, parsed.value, null)
  if (tool?.unwrap && !tool.hidden) {
    const args = tool.parse(parsed.value)
    const inner = args.kind === 'args' ? tool.unwrap(args.args) : undefined
    if (args.kind === 'args' && inner?.kind === 'many') {
      return {
        kind: 'many',
        tool,
        headline: forDisplay(tool.describe(args.args)).text,
        calls: inner.calls.map((call) => ({
          ...unwrap(call.tool, call.args, catalogue, {
            levels: deepestNesting - 1,
            origin: null,
            opens: false,
          }),
          proposed: { tool: call.tool, args: canonicalText(call.args) },
        })),
      }
    }
  }
  return unwrap(proposed.tool, parsed.value, catalogue, {
    levels: deepestNesting,
    origin: null,
    opens: false,
  })
}

/** A call of the product itself, which may use hidden tools: an undo, a call that was canonical before. */
export function canonicalizeOwn(proposed: ProposedCall, catalogue: ToolCatalogue): SingleCanonicalResult {
  const parsed = parse(proposed)
  if (parsed.kind === 'invalid') return parsed
  const tool = catalogue.find(proposed.tool)
  return tool ? fit(tool, parsed.value, null) : invalid(proposed.tool, catalogue.missing(proposed.tool))
}

function parse(proposed: ProposedCall): { kind: 'value'; value: unknown } | Invalid {
  const parsed = parseStrict(proposed.args.trim() === '' ? '{}' : proposed.args)
  return parsed.kind === 'value'
    ? parsed
    : invalid(proposed.tool, `The arguments are not valid JSON: ${parsed.reason}.`)
}

interface UnwrapState {
  readonly levels: number
  readonly origin: Origin | null
  /** It came by a tool that may stand for a hidden one. */
  readonly opens: boolean
}

function unwrap(
  name: string,
  value: unknown,
  catalogue: ToolCatalogue,
  state: UnwrapState,
): SingleCanonicalResult {
  const tool = catalogue.find(name)
  // A hidden tool is reached by a tool that the operator made or accepted, never by a name that a model wrote.
  if (!tool || (tool.hidden && !state.opens)) return invalid(name, catalogue.missing(name))
  if (!tool.unwrap) return fit(tool, value, state.origin)
  const parsed = tool.parse(value)
  if (parsed.kind === 'invalid') return unfit(tool, parsed.problems)
  if (state.levels === 0) return invalid(name, 'The call is nested too deeply.')
  const inner = tool.unwrap(parsed.args)
  if (inner.kind === 'many') return invalid(name, 'Several calls at once cannot stand inside another call.')
  const origin = tool.origin ?? state.origin
  const opens = origin !== null || tool.standsForHidden === true
  return unwrap(inner.call.tool, inner.call.args, catalogue, { levels: state.levels - 1, origin, opens })
}

function fit(tool: ToolFacts, value: unknown, origin: Origin | null): SingleCanonicalResult {
  const parsed = tool.parse(value)
  if (parsed.kind === 'invalid') return unfit(tool, parsed.problems)
  const headline = forDisplay(tool.describe(parsed.args)).text
  return {
    kind: 'canonical',
    call: { tool, args: canonicalText(parsed.args), value: parsed.args, headline, origin },
  }
}

/** Says what was wrong and what the tool takes, so that a model can mend its call. */
function unfit(tool: ToolFacts, problems: readonly string[]): Invalid {
  const help = tool.hidden ? '' : ` It takes ${JSON.stringify(tool.schema).slice(0, longestHelp)}`
  const words = `${problems.join('; ')}.${help}`
  // What does not fit, and what would, are told in words of the schema.
  const told = tool.standsForHidden
    ? ` By its server, which gives no orders: ${JSON.stringify(forDisplay(words).text)}`
    : ` ${words}`
  return invalid(tool.name, `The arguments do not fit ${tool.name}:${told}`)
}

type Invalid = Extract<SingleCanonicalResult, { kind: 'invalid' }>

function invalid(tool: string, reason: string): Invalid {
  return { kind: 'invalid', tool, reason }
}
