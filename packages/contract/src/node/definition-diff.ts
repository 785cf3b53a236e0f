/** Owns what differs between a definition of a tool and the one that was accepted before, as a person is shown it. */
import { definitionText } from '../definition-text.ts'
import type { ListedTool } from '../extension.ts'
import { lineChanges } from './line-changes.ts'

export function definitionDiff(before: ListedTool, after: ListedTool): string {
  return lineChanges(definitionText(before), definitionText(after))
}
