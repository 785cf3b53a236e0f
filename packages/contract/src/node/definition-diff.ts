/** Owns how a person is shown a definition of a tool, and what differs from the one that was accepted before. */
import type { ListedTool } from '../extension.ts'
import type { JsonValue } from '../json/value.ts'
import { lineChanges } from './line-changes.ts'

export function definitionText(tool: ListedTool): string {
  return linesOf(tool).join('\n')
}

export function definitionDiff(before: ListedTool, after: ListedTool): string {
  return lineChanges(definitionText(before), definitionText(after))
}

function linesOf({ name, title, description, input, output, annotations }: ListedTool): string[] {
  return [
    `name: ${name}`,
    ...(title === null ? [] : [`title: ${title}`]),
    ...`description: ${description}`.split('\n'),
    ...pretty('says of itself', annotations),
    ...pretty('takes', input),
    ...(output === null ? [] : pretty('gives', output)),
  ]
}

function pretty(what: string, value: JsonValue): string[] {
  return `${what}: ${JSON.stringify(value, null, 2)}`.split('\n')
}
