/**
 * Owns what a card says about a call: everything on it that follows from the tool's code, the canonical arguments and
 * what the call would touch. Whoever has these three builds the same text, so an executor can tell whether the card
 * that was sealed is the card of the call that it is about to make.
 */
import type { Card, CardWhat, Preview } from './card.ts'
import { forDisplay } from './display/sanitise.ts'
import type { Effect } from './effect.ts'
import { canonicalText } from './json/canonical.ts'
import { parseStrict } from './json/strict.ts'
import type { JsonObject } from './json/value.ts'
import type { ToolFacts } from './tool.ts'

/** The parts of a tool that speak of a call. They must depend on the arguments only. */
export type CallDescriber = Pick<ToolFacts, 'name' | 'parse' | 'describe' | 'preview'>

/** Takes the canonical text, because a preview may list fields in the order in which the arguments have them. */
export function buildWhat(tool: CallDescriber, args: string, effects: readonly Effect[]): CardWhat {
  const value = argumentsIn(tool, args)
  return {
    tool: tool.name,
    args,
    headline: forDisplay(tool.describe(value)).text,
    preview: displayed(tool.preview(value)),
    effects: effects.map((effect) => ({
      ...effect,
      object: forDisplay(effect.object).text,
      leaves: effect.leaves.map((leaving) => forDisplay(leaving).text),
    })),
  }
}

/** The text whose SHA-256 the subject carries as `what`. */
export function whatText({ tool, args, headline, preview, effects }: CardWhat): string {
  return canonicalText({ tool, args, headline, preview, effects })
}

/** The text whose SHA-256 the subject carries as `why`. */
export function whyText({ why }: Pick<Card, 'why'>): string {
  return canonicalText(why)
}

function argumentsIn(tool: CallDescriber, text: string): JsonObject {
  const strict = parseStrict(text)
  const parsed = strict.kind === 'value' ? tool.parse(strict.value) : undefined
  if (parsed?.kind !== 'args') throw new TypeError(`The arguments do not fit ${tool.name}.`)
  return parsed.args
}

/** Every string of a preview, made safe to look at and left whole. */
function displayed(preview: Preview): Preview {
  const safe = (text: string) => forDisplay(text, { multiline: true }).text
  switch (preview.kind) {
    case 'text':
      return { ...preview, title: safe(preview.title), text: safe(preview.text) }
    case 'shell':
      return {
        ...preview,
        command: safe(preview.command),
        cwd: safe(preview.cwd),
        sandbox: safe(preview.sandbox),
      }
    case 'http':
      return {
        ...preview,
        method: safe(preview.method),
        url: safe(preview.url),
        body: safe(preview.body),
        headers: preview.headers.map(([name, value]): [string, string] => [safe(name), safe(value)]),
      }
    case 'write':
      return { ...preview, path: safe(preview.path), content: safe(preview.content) }
    case 'code':
      return {
        ...preview,
        title: safe(preview.title),
        language: safe(preview.language),
        code: safe(preview.code),
      }
    case 'table':
      return {
        ...preview,
        title: safe(preview.title),
        columns: preview.columns.map(safe),
        rows: preview.rows.map((row) => row.map(safe)),
      }
  }
}
