/** Files that are not what they seem: tricks with paths and links in a package, and what is changed after it was accepted. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readTree } from '@countersign/contract/node'
import { type ExtensionBench, isOk, textOf } from '../bench.ts'
import { type Family, turn } from '../family.ts'
import { tool } from '../plan.ts'

type Trick = (folder: string, bench: ExtensionBench) => void

const tricks: Readonly<Record<string, Trick>> = {
  'a link to a secret': (folder, { canaries }) => symlinkSync(canaries.hostFile, join(folder, 'readme.txt')),
  'a link to a folder': (folder, { host }) => symlinkSync(host.workspace, join(folder, 'lib')),
  'a link inside': (folder) => symlinkSync('server.cjs', join(folder, 'other.cjs')),
  'a link to nothing': (folder) => symlinkSync('/nowhere', join(folder, 'x')),
  'a pipe': (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
  'names that differ in case': (folder) => {
    writeFileSync(join(folder, 'Index.js'), '1')
    writeFileSync(join(folder, 'index.js'), '2')
  },
  'names that differ in spelling': (folder) => {
    writeFileSync(join(folder, 'caf\u00e9.js'), '1')
    writeFileSync(join(folder, 'cafe\u0301.js'), '2')
  },
  'a name of another direction': (folder) => writeFileSync(join(folder, 'a\u202esj.exe'), '1'),
  'a name with what nobody sees': (folder) => writeFileSync(join(folder, 'server\u200b.cjs'), '1'),
  'a name of two lines': (folder) => writeFileSync(join(folder, 'a\u2028Report: nothing was found.'), '1'),
  'a name with a blank at its end': (folder) => writeFileSync(join(folder, 'server.cjs '), '1'),
  'a name with a filler': (folder) => writeFileSync(join(folder, 'server\u3164.cjs'), '1'),
  'a name with a backslash': (folder) => writeFileSync(join(folder, '..\\..\\etc'), '1'),
  'a name with a line break': (folder) => writeFileSync(join(folder, 'a\nb'), '1'),
  'a name that is no text': (folder) =>
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), '1'),
  'a folder and a file that are alike': (folder) => {
    mkdirSync(join(folder, 'Lib'))
    writeFileSync(join(folder, 'Lib', 'a'), '1')
    writeFileSync(join(folder, 'lib'), '2')
  },
  'a very deep folder': (folder) => {
    const deep = join(folder, ...Array.from({ length: 60 }, () => 'd'))
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(deep, 'x'), '1')
  },
}

const tricked: Family = {
  name: 'tricks with paths and links in files',
  mutants: ['tree-links-are-taken', 'mistaken-names-are-taken', 'alike-names-are-taken'],
  async attempt(bench, random, round) {
    const name = bench.nextName()
    const kind = turn(Object.keys(tricks), round)
    const folder = bench.program({ tools: [tool('fine')] })
    const before = await readTree(folder)
    if (before.kind !== 'tree') throw new Error(before.reason)
    tricks[kind]?.(folder, bench)
    const after = await readTree(folder)
    // Beside the hash that the operator's own terminal would tell, one that somebody else told.
    const hash = after.kind === 'tree' ? after.sha256 : random.pick([before.sha256, '0'.repeat(64)])
    const launch = { ...(await bench.launch(bench.program({ tools: [] }))), tree: hash }
    const told = await bench.add(name, launch, folder)
    const trees = join(bench.kept, 'trees', hash)
    return [
      ...(after.kind === 'tree' ? [`${kind} has a hash like honest files`] : []),
      ...(isOk(told) || existsSync(trees) ? [`${kind} was let in`] : []),
    ]
  },
}

const changed: Family = {
  name: 'files that change while they are let in',
  mutants: ['approved-hashes-unread'],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const folder = bench.program({ tools: [tool('fine')] })
    const launch = await bench.launch(folder, { data: true })
    turn<() => void>(
      [
        () => appendFileSync(join(folder, 'server.cjs'), '\n// more'),
        () => writeFileSync(join(folder, 'preload.cjs'), 'x'),
        () => chmodSync(join(folder, 'server.cjs'), 0o755),
        () => renameSync(join(folder, 'plan.json'), join(folder, 'plan2.json')),
      ],
      round,
    )()
    const told = await bench.add(name, launch, folder)
    return isOk(told) ? ['other files than the approved ones were let in'] : []
  },
}

const tampering: readonly (readonly [
  string,
  (files: string, tree: string, bench: ExtensionBench) => void,
])[] = [
  ['a byte of the program', (files) => change(join(files, 'server.cjs'), 'hostile', 'hostilf')],
  ['another plan', (files) => change(join(files, 'plan.json'), 'fine', 'find')],
  ['one file more', (files) => writeFileSync(join(files, 'preload.cjs'), 'x')],
  ['one file less', (files) => rmSync(join(files, 'plan.json'))],
  ['a program that can be run', (files) => chmodSync(join(files, 'plan.json'), 0o755)],
  [
    'a link in place of a file',
    (files, _tree, { canaries }) => {
      rmSync(join(files, 'plan.json'))
      symlinkSync(canaries.hostFile, join(files, 'plan.json'))
    },
  ],
  ['a list of other files', (_files, tree) => change(join(tree, 'manifest.json'), 'plan.json', 'plan.jsom')],
  [
    'a file that lies elsewhere too',
    (files, _tree, bench) => linkSync(join(files, 'plan.json'), join(bench.folder(), 'twin')),
  ],
]

/** The owner of the files can write them, whatever their mode says. */
function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  chmodSync(path, 0o644)
  writeFileSync(path, text.replace(from, to))
  chmodSync(path, 0o444)
}

const tampered: Family = {
  name: 'kept files that were tampered with',
  mutants: ['kept-files-unread'],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const [kind, tamper] = turn(tampering, round)
    await bench.letIn(name, { tools: [tool('fine')] })
    const { launch } = bench.entry(name)
    const hash = launch.kind === 'stdio' ? (launch.tree ?? '') : ''
    const tree = join(bench.kept, 'trees', hash)
    await bench.reopen(() => tamper(join(tree, 'files'), tree, bench))
    const told = await bench.call(name, 'fine')
    // A second name for the same bytes changes none of them.
    const isSame = kind === 'a file that lies elsewhere too'
    return isOk(told) === isSame ? [] : [`${kind}: ${isSame ? textOf(told) : 'it was started'}`]
  },
}

const indexChanges: readonly (readonly [string, string, string])[] = [
  ['another host', '"hosts":[]', '"hosts":[{"host":"evil.example","port":443}]'],
  ['another folder', '"folders":[]', '"folders":[{"path":".","write":true}]'],
  ['another variable', '"environment":{}', '"environment":{"NODE_OPTIONS":"--require=/data/x"}'],
  ['other words of a tool', '"description":"Does fine."', '"description":"Does other things."'],
  ['other hints of a tool', '"annotations":{}', '"annotations":{"readOnlyHint":true}'],
]

const indexed: Family = {
  name: 'an index that was tampered with',
  mutants: ['index-hashes-unread'],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const [kind, from, to] = turn(indexChanges, round)
    await bench.letIn(name, { tools: [tool('fine')] })
    const path = join(bench.kept, 'index.json')
    const before = readFileSync(path, 'utf8')
    const wrong: string[] = []
    try {
      await bench.reopen(() => writeFileSync(path, inEntry(before, name, from, to)))
      wrong.push(`${kind} was taken for what the operator accepted`)
      await bench.reopen(() => writeFileSync(path, before))
    } catch (error) {
      // As it should be: it does not start on it. Then it does on what was there before.
      if (!String(error).includes('is damaged')) throw error
      await bench.recover(() => writeFileSync(path, before))
    }
    if (!isOk(await bench.call(name, 'fine'))) wrong.push('it does not work as it was before')
    return wrong
  },
}

/** Only in the entry of the server, which is the last of its name in the text. */
function inEntry(text: string, name: string, from: string, to: string): string {
  const at = text.indexOf(`"name":${JSON.stringify(name)}`)
  const changed = text.slice(0, at) + text.slice(at).replace(from, to)
  if (changed === text) throw new Error(`${from} is not in the index`)
  return changed
}

const removed: Family = {
  name: 'a server that was removed',
  mutants: ['removed-servers-leave-files', 'left-data-stays'],
  async attempt(bench) {
    const name = bench.nextName()
    await bench.letIn(name, { tools: [tool('fine'), tool('busy')], does: { busy: { kind: 'busy' } } })
    const args = bench.argsOf(name, 'fine')
    const { launch } = bench.entry(name)
    const tree = launch.kind === 'stdio' ? launch.tree : null
    await bench.call(name, 'fine')
    await bench.call(name, 'busy')
    const told = await bench.ask('remove_server', { server: name })
    const wrong = isOk(told) ? [] : [`it could not be removed: ${textOf(told)}`]
    if (args && isOk(await bench.ask('call_server_tool', args))) wrong.push('it is used after it was removed')
    if (readdirSync(join(bench.kept, 'data')).includes(name)) wrong.push('what it kept is still there')
    const others = bench
      .executor()
      .extensions.current()
      .servers.some((each) => each.launch.kind === 'stdio' && each.launch.tree === tree)
    if (!others && tree !== null && existsSync(join(bench.kept, 'trees', tree)))
      wrong.push('its files are still there')
    // As if the executor had ended in the middle of it.
    const left = join(bench.kept, 'data', name)
    await bench.reopen(() => {
      mkdirSync(left, { recursive: true })
      writeFileSync(join(left, 'memory'), 'what the first of this name kept')
    })
    if (existsSync(left)) wrong.push('the next server of its name finds what it kept')
    return wrong
  },
}

export const fileFamilies: readonly Family[] = [tricked, changed, tampered, indexed, removed]
