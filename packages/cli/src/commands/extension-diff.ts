/**
 * `countersign extension diff`: what differs between what you let in and what there is now. Of a server, the tools that it
 * describes otherwise, or another way to start it; of a skill, other files. Asks for nothing.
 */
import { definitionText, type InstalledServer, kindOf } from '@countersign/contract'
import { definitionDiff, lineChanges } from '@countersign/contract/node'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { launchText, missing, serverNamed } from './extension.ts'
import { launchOf } from './extension-launch.ts'
import { diffOfPlugin } from './extension-plugin.ts'
import { diffOfProposal, proposalNamed } from './extension-proposal.ts'
import { diff as diffOfSkill, skillNamed } from './extension-skill.ts'

export const diff: Handler = async (context, args, options) => {
  const [name = '', ...words] = args
  const { client } = await context.gateway()
  const proposal = await proposalNamed(client, name)
  if (proposal && options['skill'] === undefined) return diffOfProposal(context, client, proposal)
  if (await skillNamed(client, name)) return diffOfSkill(context, args, options)
  const server = await serverNamed(client, name)
  if (!server) return missing(name, 'extension diff')
  if (kindOf(server) === 'plugin') return diffOfPlugin(context, client, server, options)
  if (options['skill'] !== undefined)
    return usage(`${line(name)} is a server. Name its other package with --package.`, 'extension diff')
  return words.length + Object.keys(options).length > 0
    ? diffOfLaunch(context, server, words, options)
    : diffOfTools(server)
}

async function diffOfLaunch(
  context: Context,
  { launch }: InstalledServer,
  words: readonly string[],
  options: OptionValues,
): Promise<CommandAnswer> {
  const wish = await launchOf(context, words, options, launch)
  if (typeof wish === 'string') return usage(wish, 'extension diff')
  const [before, after] = [launchText(launch), launchText(wish.launch)]
  const changes = before === after ? '' : lineChanges(before, after)
  return done({ changes }, () => (changes === '' ? 'Nothing differs.' : lines(changes)))
}

function diffOfTools(server: InstalledServer): CommandAnswer {
  const changes = definitionChanges(server)
  return done({ changes }, () => textOf(server, changes))
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

/** What it describes is a stranger's words: each line behind a bar. */
function textOf({ name, listedAt }: InstalledServer, changes: readonly DefinitionChange[]): string {
  const look = `\`countersign extension look ${line(name)}\``
  if (listedAt === null) return `It was not asked yet what it offers: ${look}.`
  const asked = `It was asked at ${listedAt}; ask again with ${look}.`
  if (changes.length === 0) return `It offers what you accepted, and nothing else. ${asked}`
  const parts = changes.map(({ tool, state, text }) =>
    [`=== ${line(tool)}: ${states[state]}`, ...barredLines(text)].join('\n'),
  )
  return [...parts, `${asked} Accept with \`countersign extension accept ${line(name)}\`.`].join('\n\n')
}

function barredLines(text: string): string[] {
  return text === ''
    ? []
    : lines(text)
        .split('\n')
        .map((each) => `| ${each}`)
}
