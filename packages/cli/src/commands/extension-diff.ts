/**
 * `countersign extension diff`: what differs between what you let in and what there is now. Of a server, the tools that it
 * describes otherwise, or another way to start it; of a skill, other files. Asks for nothing.
 */
import { definitionText, type InstalledServer } from '@countersign/contract'
import { lineChanges } from '@countersign/contract/node'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { launchText, missing, serverNamed } from './extension.ts'
import { launchOf } from './extension-launch.ts'
import { diff as diffOfSkill, skillNamed } from './extension-skill.ts'

export const diff: Handler = async (context, args, options) => {
  const [name = '', ...words] = args
  const { client } = await context.gateway()
  if (await skillNamed(client, name)) return diffOfSkill(context, args, options)
  const server = await serverNamed(client, name)
  if (!server) return missing(name, 'extension diff')
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

/** What it describes is a stranger's words: each line behind a bar. */
function diffOfTools({ name, tools, offered, gone, listedAt }: InstalledServer): CommandAnswer {
  const changed = offered.flatMap((tool) => {
    const before = tools.find(({ listed }) => listed.name === tool.name)
    return before
      ? [{ tool: tool.name, changes: lineChanges(definitionText(before.listed), definitionText(tool)) }]
      : []
  })
  const fresh = offered.filter((tool) => !changed.some((each) => each.tool === tool.name))
  const data = { changed, new: fresh.map((tool) => tool.name), gone }
  return done(data, () => {
    if (listedAt === null)
      return `It was not asked yet what it offers: \`countersign extension look ${line(name)}\`.`
    if (changed.length + gone.length + fresh.length === 0)
      return `Nothing differs from what you accepted, as of ${listedAt.slice(0, 10)}. Ask it anew with \`countersign extension look ${line(name)}\`.`
    return [
      ...changed.flatMap(({ tool, changes }) => [
        `=== ${line(tool)}: stopped until you accept`,
        ...lines(changes)
          .split('\n')
          .map((text) => `| ${text}`),
      ]),
      ...(gone.length === 0 ? [] : [`Offered no more: ${gone.map(line).join(', ')}`]),
      ...(fresh.length === 0
        ? []
        : [`Offered, and not accepted: ${fresh.map((tool) => line(tool.name)).join(', ')}`]),
    ].join('\n')
  })
}
