/** Tells which programs of the list are here, in which version, what each is worth and whether it is switched on. */
import { tierName } from '@countersign/contract'
import { z } from 'zod'
import { programEffect, resultOf, viewedProgram } from '../code/program.ts'
import { defineTool, perMinute } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { type FoundProgram, findListed } from './found-program.ts'
import { type ListedProgram, programList } from './program-list.ts'
import { fixOf } from './run-cli-tool.ts'

const longestLook = 20_000

export const listCliTools = defineTool({
  name: 'list_cli_tools',
  version: '1',
  description:
    'List the programs that run_cli_tool knows: installed or not, version, category, risk, on or off.',
  input: z.strictObject({
    category: z.enum(['data', 'text', 'code', 'documents', 'media']).exactOptional(),
    on: z.array(nameText(40)).max(200).default([]).describe('Filled in by Countersign: what is switched on'),
  }),
  category: 'cli',
  group: 'cliTools',
  tags: ['command line', 'cli', 'programs', 'installed', 'available', 'version', 'which'],
  effect: 'pure',
  rate: perMinute(10),
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'read-only',
  egress: 'none',
  describe: ({ category }) => `List the programs${category === undefined ? '' : ` for ${category}`}`,
  preview: ({ category, on }) => ({
    kind: 'text',
    title: `Programs${category === undefined ? '' : ` for ${category}`}`,
    text: on.length === 0 ? 'None is switched on.' : `Switched on: ${on.join(', ')}`,
  }),
  async effects({ category }, inspect) {
    const shell = await inspect.program('sh')
    if (!shell) return { kind: 'unavailable', reason: 'There is no sh on this host.', fix: 'Install dash.' }
    const found: (readonly [ListedProgram, FoundProgram])[] = []
    for (const listed of wanted(category)) {
      const program = await findListed(listed, '.', inspect)
      if (program) found.push([listed, program])
    }
    const folders = [...new Set(found.flatMap(([, { folders: lies }]) => lies))].toSorted()
    const view = { named: folders, needs: [], below: false }
    return {
      kind: 'found',
      resources: [viewedProgram(shell, versionsArgv(found), '.', inspect, view)],
      effects: [programEffect('programs that tell their version', inspect)],
    }
  },
  async run({ category, on }, capabilities, signal) {
    const argv = capabilities.shell.bound()
    if (!argv) return failed('The permit names no program.')
    const outcome = await capabilities.shell.run({ argv, cwd: '.', timeoutMs: longestLook, signal })
    if (outcome.kind === 'failed' || outcome.end.kind !== 'exited')
      return resultOf(outcome, 'Looking for programs', longestLook)
    const versions = versionsIn(outcome.stdout)
    const shown = wanted(category)
    const here = shown.filter(({ name }) => versions.has(name)).length
    return succeeded(
      JSON.stringify({ programs: shown.map((listed) => rowOf(listed, versions.get(listed.name), on)) }),
      `${here} of ${shown.length} programs are installed`,
    )
  },
})

function wanted(category: ListedProgram['category'] | undefined): readonly ListedProgram[] {
  return programList.filter((listed) => category === undefined || listed.category === category)
}

function rowOf(listed: ListedProgram, version: string | undefined, on: readonly string[]) {
  const { name, about, category, risk } = listed
  const isOn = on.includes(name)
  return {
    name,
    about,
    category,
    installed: version !== undefined,
    version: version ?? null,
    risk: `T${risk} ${tierName[risk]}`,
    policy: isOn ? (risk === 0 ? 'allowed' : 'asks') : 'off',
    ...(isOn ? {} : { switchOn: `countersign tool enable program:${name}` }),
    ...(version === undefined ? { install: fixOf(listed) } : {}),
  }
}

/** All at once, each for five seconds at most: some begin slowly, and one may hang. */
function versionsArgv(found: readonly (readonly [ListedProgram, FoundProgram])[]): string[] {
  const asks = found.map(([{ name, version }, { argv }]) => {
    const words = [...argv, ...version].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    return `{ v=$(timeout 5 ${words} 2>&1 </dev/null | head -c 2000); printf '%s\\t%s\\n' ${name} "$(printf %s "$v" | tr '\\n\\t' '  ')"; } &`
  })
  return ['sh', '-c', [...asks, 'wait'].join('\n')]
}

/** A number and nothing else, so that no program tells a model what to do. */
function versionsIn(text: string): Map<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const cut = line.indexOf('\t')
    return cut === -1 ? [] : [[line.slice(0, cut), line.slice(cut + 1)] as const]
  })
  return new Map(lines.map(([name, said]) => [name, /\d+(?:\.\d+){0,3}/.exec(said)?.[0] ?? 'unknown']))
}
