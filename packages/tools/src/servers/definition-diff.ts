/** Owns what differs between a definition of a tool and the one that was accepted before, as a person is shown it. */
import { definitionText, type ListedTool } from '@countersign/contract'
import { lineChanges } from '@countersign/contract/node'

export function definitionDiff(before: ListedTool, after: ListedTool): string {
  return lineChanges(definitionText(before), definitionText(after))
}
