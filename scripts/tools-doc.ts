/**
 * Owns docs/tools.md, which is made from the definitions of the tools. Writes it, or with --check fails if it is not
 * what would be written.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, ToolFacts } from '../packages/contract/src/index.ts'
import { tierName } from '../packages/contract/src/index.ts'
import { builtinTools, createCatalogue, groups, type ToolGroup } from '../packages/tools/src/index.ts'
import { firstSentence } from '../packages/tools/src/meta/first-sentence.ts'
import { tokensOf } from '../packages/tools/src/testing/tokens.ts'
import { repository } from './workspace.ts'

const file = 'docs/tools.md'

/** The whole page, for the tools that are built in unless others are given. */
export function toolsDoc(tools: readonly ToolFacts[] = createCatalogue(builtinTools).list()): string {
  const sections = Object.entries(groups).flatMap(([name, group]) => {
    const members = tools.filter((facts) => facts.group === name)
    return members.length === 0 ? [] : [sectionOf(name, group, members)]
  })
  return `${[headOf(tools), ...sections].join('\n\n')}\n`
}

/** What is wrong with the page, in sentences. */
export function toolsDocDifferences(written: string, wanted: string = toolsDoc()): string[] {
  if (written === wanted) return []
  const [had, has] = [rowsOf(written), rowsOf(wanted)]
  const found = [
    ...[...has].filter(([name]) => !had.has(name)).map(([name]) => `${file} has no row for ${name}.`),
    ...[...had]
      .filter(([name]) => !has.has(name))
      .map(([name]) => `${file} lists ${name}, which is no tool.`),
    ...[...has]
      .filter(([name, row]) => had.has(name) && had.get(name) !== row)
      .map(([name]) => `${file}: the row of ${name} is not what its definition says.`),
  ]
  return [...(found.length > 0 ? found : [`${file} differs.`]), 'Write it anew: node scripts/tools-doc.ts']
}

function headOf(tools: readonly ToolFacts[]): string {
  const meta = tokensOf(tools.filter(({ category }) => category === 'meta'))
  const listed = tokensOf(tools.filter((facts) => facts.listed))
  const all = tokensOf(tools)
  return `# Tools

This page is made from the definitions of the tools by \`node scripts/tools-doc.ts\`. Do not change it by hand.

Countersign has ${tools.length} tools in ${new Set(tools.map(({ group }) => group)).size} groups. You switch a group or a single tool on and off: \`countersign tool enable git\`, \`countersign tool disable http_request\`. What is off, a model cannot find and cannot call.

A model is not sent all of them. It is sent ${listed.tools} and finds the others with \`search_tools\`. In tokens (o200k_base), with every group on:

| What a model is sent | Tools | Tokens |
| --- | ---: | ---: |
| what it takes to find and use every tool | ${meta.tools} | ${inThousands(meta.tokens)} |
| what it is sent from the start, with those | ${listed.tools} | ${inThousands(listed.tokens)} |
| all tools, if it were sent them | ${all.tools} | ${inThousands(all.tokens)} |

How to read the tables:

- **Least tier**: a call is never below it. What the call touches, and what led to it, may raise it. ${tierList()}
- **Effect**: what a crash means. \`pure\` changes nothing, \`idempotent\` may be done again, \`once\` is never tried a second time.
- **Undo**: whether Countersign keeps what it takes to take the call back.
- **Arguments**: those with a question mark may be left out.`
}

function sectionOf(name: string, group: ToolGroup, tools: readonly ToolFacts[]): string {
  const state = [
    group.enabled ? 'On from the start.' : 'Off until you switch it on.',
    ...(group.needs === undefined ? [] : [`Needs ${group.needs}.`]),
    ...(group.dependsOn === undefined
      ? []
      : [`Switches ${group.dependsOn.map((other) => `\`${other}\``).join(', ')} on with it.`]),
  ]
  return `## ${group.title}

\`${name}\`: ${group.about} ${state.join(' ')}

| Tool | What it does | Least tier | Effect | Undo | Arguments |
| --- | --- | --- | --- | --- | --- |
${tools.map(rowOf).join('\n')}`
}

function rowOf({ name, description, floor, effect, undo, schema, runs }: ToolFacts): string {
  const tier = runs === 'unwrapped' ? 'that of the inner call' : `T${floor} ${tierName[floor]}`
  const kind = runs === 'unwrapped' ? '' : `\`${effect}\``
  const cells = [
    `\`${name}\``,
    firstSentence(description),
    tier,
    kind,
    undo === null ? '' : 'yes',
    argumentsOf(schema),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function argumentsOf(schema: JsonObject): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>)
  const names = properties.map(([name, property]) => {
    // What has a value of its own may be left out, even where the schema lets a caller believe otherwise.
    const needed = required.includes(name) && property['default'] === undefined
    return needed ? name : `${name}?`
  })
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ')
}

function tierList(): string {
  const tiers = Object.entries(tierName).map(([tier, word]) => `T${tier} ${word}`)
  return `The tiers are ${tiers.join(', ')}.`
}

function inThousands(count: number): string {
  return count.toLocaleString('en-GB')
}

function rowsOf(page: string): Map<string, string> {
  return new Map([...page.matchAll(/^\| `([a-z_0-9]+)` \|.*$/gm)].map(([row, name = '']) => [name, row]))
}

if (import.meta.main) {
  const path = join(repository, file)
  if (process.argv.includes('--check')) {
    const found = toolsDocDifferences(existsSync(path) ? readFileSync(path, 'utf8') : '')
    for (const line of found) process.stdout.write(`${line}\n`)
    process.exitCode = found.length === 0 ? 0 : 1
  } else {
    writeFileSync(path, toolsDoc())
    process.stdout.write(`Wrote ${file}.\n`)
  }
}
