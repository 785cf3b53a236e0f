/** `countersign extension diff`: what a server says of its tools now, beside what was accepted; or other files of a skill. */
import type { InstalledServer } from '@countersign/contract'
import { definitionDiff, definitionText } from '@countersign/contract/node'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'

export const diff: Handler = async (context, words, options) => {
  const [name = ''] = words
  if (typeof options['skill'] === 'string')
    return (await import('./extension-skill.ts')).diff(context, words, options)
  const { client } = await context.gateway()
  const { servers, skills } = await client.extensions()
  const server = servers.find((each) => each.name === name)
  if (server) {
    const changes = definitionChanges(server)
    return done({ changes }, () => textOf(server, changes))
  }
  return skills.some((each) => each.name === name)
    ? usage('Name the other files of the skill with --skill.', 'extension diff')
    : usage(
        `There is no server or skill ${line(name)}. See them with \`countersign extension list\`.`,
        'extension diff',
      )
}

export interface DefinitionChange {
  readonly tool: string
  readonly state: 'changed' | 'new' | 'gone'
  /** Lines that begin with `-` were accepted, those with `+` are offered. They are the words of the server. */
  readonly text: string
}

export function definitionChanges({ tools, offered, gone }: InstalledServer): DefinitionChange[] {
  const accepted = new Map(tools.map(({ listed }) => [listed.name, listed]))
  return [
    ...offered.map((tool): DefinitionChange => {
      const before = accepted.get(tool.name)
      return before
        ? { tool: tool.name, state: 'changed', text: definitionDiff(before, tool) }
        : { tool: tool.name, state: 'new', text: definitionText(tool).replaceAll(/^/gm, '+ ') }
    }),
    ...gone.map((tool): DefinitionChange => ({ tool, state: 'gone', text: '' })),
  ]
}

const states = {
  changed: 'described in other words than those that you accepted; it is stopped',
  new: 'not accepted',
  gone: 'accepted, and offered no more',
} as const

function textOf({ name, listedAt }: InstalledServer, changes: readonly DefinitionChange[]): string {
  const look = `\`countersign extension look ${line(name)}\``
  if (listedAt === null) return `It was not asked yet: ${look}.`
  const asked = `It was asked at ${listedAt}; ask again with ${look}.`
  if (changes.length === 0) return `It offers what you accepted, and nothing else. ${asked}`
  const parts = changes.map(({ tool, state, text }) =>
    [`=== ${line(tool)}: ${states[state]}`, ...(text === '' ? [] : [lines(text)])].join('\n'),
  )
  return [...parts, `${asked} Accept with \`countersign extension accept ${line(name)}\`.`].join('\n\n')
}
