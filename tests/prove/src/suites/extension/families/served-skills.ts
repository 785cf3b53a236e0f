/** Skills that a server serves with other bytes than it says, with files elsewhere, or as another one than was reviewed. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@countersign/contract'
import { skillChanges } from '@countersign/contract/skills'
import { proposalNamed } from '@countersign/tools'
import { type ExtensionBench, isOk, type Told, textOf } from '../bench.ts'
import { type Family, turn } from '../family.ts'
import { filesOf, keptSkill, shownOf, skillText } from '../skills.ts'

const program = fileURLToPath(
  new URL('../../../../../../packages/executor/src/extensions/testing/skills-server.cjs', import.meta.url),
)

/** Lets the server in, or puts it there again, with these skills. */
async function serve(bench: ExtensionBench, server: string, skills: readonly JsonObject[]): Promise<void> {
  const folder = bench.folder()
  cpSync(program, join(folder, 'server.cjs'))
  writeFileSync(join(folder, 'skills.json'), JSON.stringify({ skills }))
  const told = await bench.add(server, await bench.launch(folder), folder)
  if (!isOk(told)) throw new Error(textOf(told))
}

function fetched(bench: ExtensionBench, server: string, name: string): Promise<Told> {
  const { launchHash } = bench.entry(server)
  return bench.ask('fetch_server_skill', { server, launch: launchHash, name, uri: null })
}

function entry(
  name: string,
  body: string,
  { folder = `skill://${name}`, ...more }: JsonObject & { readonly folder?: string } = {},
): JsonObject {
  return {
    uri: `${folder}/SKILL.md`,
    frontmatter: { name, description: 'Writes letters.' },
    files: { [`${folder}/SKILL.md`]: skillText(name, { body }) },
    ...more,
  }
}

async function reviewed(bench: ExtensionBench, name: string): Promise<Told> {
  const proposal = proposalNamed(bench.executor().extensions.current(), name)
  if (!proposal) return { kind: 'refused', reason: 'nothing waits' }
  const at = (tree: string) => filesOf(join(bench.kept, 'trees', tree, 'files'))
  const files = await at(proposal.tree)
  const before = keptSkill(bench, name)
  const replaces = before ? { tree: before.tree, changes: skillChanges(await at(before.tree), files) } : null
  const { servedBy } = proposal
  const args = { ...shownOf(name, files), others: [], servedBy, replaces } as unknown as JsonObject
  return bench.ask('review_proposed_skill', args)
}

/** Each is what a server serves instead, with what is wrong. */
const lies: readonly (readonly [string, (name: string) => JsonObject])[] = [
  [
    'other bytes than its hash',
    (name) => {
      const folder = `skill://${name}`
      const said = skillText(name, { body: 'Be short.' })
      return entry(name, 'Be short.', { reads: { [`${folder}/SKILL.md`]: said.replace('short', 'rough') } })
    },
  ],
  [
    'a file of another skill',
    (name) => {
      const main = entry(name, 'Be short.')
      const files = { ...(main['files'] as JsonObject), 'skill://other/run.sh': 'echo other' }
      return { ...main, files }
    },
  ],
  [
    'a file outside',
    (name) => {
      const main = entry(name, 'Be short.')
      return { ...main, files: { ...(main['files'] as JsonObject), [`skill://${name}/..%2frun.sh`]: 'x' } }
    },
  ],
  ['no fixed files', (name) => entry(name, 'Be short.', { lies: { resources: 'dynamic' } })],
  [
    'other front matter',
    (name) => entry(name, 'Be short.', { frontmatter: { name, description: 'Harmless.' } }),
  ],
]

const served: Family = {
  name: 'a skill that a server serves otherwise than it says, or as another one later',
  mutants: [
    'served-files-are-not-compared',
    'served-files-are-anywhere',
    'served-skills-change-untold',
    'proposals-are-used',
  ],
  async attempt(bench, _random, round) {
    const [name, server] = [bench.nextName(), bench.nextName()]
    const wrong: string[] = []
    const [kind, lie] = turn(lies, round)
    await serve(bench, server, [lie(name)])
    if (isOk(await fetched(bench, server, name))) {
      wrong.push(`it was fetched with ${kind}`)
      await bench.ask('remove_proposed_skill', { name })
    }
    await serve(bench, server, [entry(name, 'Be short.')])
    const honest = await fetched(bench, server, name)
    if (!isOk(honest)) return [...wrong, `an honest one was not fetched: ${textOf(honest)}`]
    if (isOk(await bench.ask('use_skill', { name }))) wrong.push('it is read before a review')
    const first = await reviewed(bench, name)
    if (!isOk(first)) return [...wrong, `an honest one was not reviewed: ${textOf(first)}`]
    // Later there is something else at the same address: it changes nothing before a review.
    await serve(bench, server, [entry(name, 'Be rough.')])
    if (!isOk(await fetched(bench, server, name))) wrong.push('a later one cannot be fetched')
    if (!textOf(await bench.ask('use_skill', { name })).includes('Be short.'))
      wrong.push('a later one counts before its review')
    const next = await reviewed(bench, name)
    if (!isOk(next)) wrong.push(`a later one was not reviewed: ${textOf(next)}`)
    // And a skill of its name at another address of the server is another skill.
    await serve(bench, server, [entry(name, 'Be evil.', { folder: `skill://other/${name}` })])
    if (isOk(await fetched(bench, server, name))) {
      wrong.push('a skill at another address waits in its place')
      await bench.ask('remove_proposed_skill', { name })
    }
    return wrong
  },
}

export const servedSkillFamilies: readonly Family[] = [served]
