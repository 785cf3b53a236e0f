/** Owns what could be written next in a rule: attributes of a call, tools, groups, and whole rules to begin with. Pure. */

import { policyAttributes } from '@countersign/contract'

export interface Completion {
  /** What stands in the list. */
  readonly label: string
  /** What is put in the place of the word. */
  readonly text: string
}

export interface CompletionSources {
  readonly tools: readonly string[]
  readonly categories: readonly string[]
}

const most = 8
const requesters = ['operator', 'peer', 'schedule', 'webhook']
const values: Readonly<Record<string, readonly string[]>> = {
  integrity: ['operator', 'paired', 'tool', 'untrusted'],
  confidentiality: ['public', 'private', 'secret'],
  autonomy: ['none', 'low', 'medium', 'high', 'full'],
}

/** What fits after the text before the cursor, and how many characters of it are the word that is being written. */
export function completionsAt(
  before: string,
  { tools, categories }: CompletionSources,
): { readonly typed: number; readonly items: readonly Completion[] } {
  const tries: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly string[]])[] = [
    [/context\.(\w*)$/, () => Object.keys(policyAttributes)],
    [/Tool::"([\w-]*)$/, () => tools],
    [/Category::"([\w-]*)$/, () => categories],
    [/RequesterKind::"(\w*)$/, () => requesters],
    [/context\.(?:\w+) [!=]= "(\w*)$/, (match) => values[/context\.(\w+)/.exec(match[0])?.[1] ?? ''] ?? []],
    [/(?:^|\n)(\w*)$/, () => ['permit', 'forbid']],
    [/[\s({!](\w{2,})$/, () => ['context.', 'when', 'unless', 'resource', 'principal']],
  ]
  for (const [pattern, offered] of tries) {
    const match = pattern.exec(before)
    if (match === null) continue
    const typed = match[1] ?? ''
    const items = offered(match)
      .filter((word) => word.startsWith(typed) && word !== typed)
      .slice(0, most)
      .map((word) => ({ label: word, text: templates[word] ?? word }))
    if (items.length > 0) return { typed: typed.length, items }
  }
  return { typed: 0, items: [] }
}

const templates: Readonly<Record<string, string>> = {
  permit: 'permit (principal, action == Action::"call", resource)\nwhen { context.tier <= 2 };\n',
  forbid:
    'forbid (principal, action == Action::"call", resource)\nwhen { context.outward }\nunless { context.approved };\n',
}
