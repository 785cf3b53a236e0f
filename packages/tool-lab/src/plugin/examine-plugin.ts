/**
 * The compatibility kit of plugins: whether the manifest is right and fits the code, whether its files can be let in, whether the
 * tests of its author pass, and whether each tool answers its example where it will run: in the sandbox, with a permit, and with
 * no more than it asks for.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  askedHosts,
  canonicalText,
  type JsonObject,
  listedAs,
  type PluginManifest,
  pluginFile,
  readPluginManifest,
} from '@countersign/contract'
import { filesInFolder, type SkillFiles, skillReport, treeFilesOf } from '@countersign/contract/skills'
import { builtinTools, toolDefinitionHash } from '@countersign/tools'
import { type Check, firstLineOf, openCheck } from '../check.ts'
import type { ToolReport } from '../examine.ts'
import type { ToolNotFound } from '../loaded-tool.ts'
import type { TestPluginRequest } from '../request.ts'
import { openScratchHost } from '../scratch-host.ts'
import { checkCases, checkInSandbox, scriptedPlatform } from './examine-channel.ts'
import { listedParts, writeManifest } from './plugin-list.ts'

type Tell = (progress: { tool: string; check: string; done: number; of: number }) => void

/** No part of a plugin, though it lies in the folder of its author. */
const ignored = ['.git', 'node_modules']

export async function examinePlugin(
  request: TestPluginRequest,
  tell: Tell,
): Promise<{ readonly kind: 'examined'; readonly reports: readonly ToolReport[] } | ToolNotFound> {
  const began = performance.now()
  const folder = resolve(request.folder)
  const text = textIn(folder)
  if (text === undefined)
    return {
      kind: 'failed',
      message: `There is no ${pluginFile} in ${folder}.`,
      next: 'Name the folder of a plugin. A new one is made with `countersign plugin new NAME`.',
    }
  const step = (check: string, done: number, of = 4) => tell({ tool: 'plugin', check, done, of })
  step('manifest', 0)
  const { check: manifestCheck, manifest } = await checkManifest(folder, request)
  step('files', 1)
  const { check: filesCheck, files } = await checkFiles(folder)
  step('tests', 2)
  const testsCheck = await checkTests(folder)
  step('examples', 3)
  const examples = openCheck('examples')
  const checks = [
    manifestCheck,
    filesCheck,
    testsCheck,
    manifest && files && manifestCheck.state === 'passed'
      ? await tryExamples({ manifest, files, request }, examples)
      : examples.skip('the manifest has to be right first'),
    ...(manifest?.channel && files && manifestCheck.state === 'passed'
      ? await channelChecks({ manifest, files, request }, (done, of) => step('channel', done, of))
      : []),
  ]
  const report: ToolReport = {
    tool: manifest?.name ?? 'plugin',
    version: manifest?.version ?? '',
    file: join(folder, pluginFile),
    seed: 0,
    count: 0,
    ok: checks.every(({ state }) => state !== 'failed'),
    checks,
    ms: Math.round(performance.now() - began),
  }
  return { kind: 'examined', reports: [report] }
}

function textIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, pluginFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const rewrite = 'Let it be written: `countersign plugin test --write`, and look at what changed.'

async function checkManifest(
  folder: string,
  { write }: TestPluginRequest,
): Promise<{ readonly check: Check; readonly manifest: PluginManifest | undefined }> {
  const found = openCheck('manifest')
  try {
    if (write && (await writeManifest(folder))) found.note(`wrote the tools into ${pluginFile}`)
    const read = readPluginManifest(textIn(folder) ?? '')
    if (read.kind === 'refused') {
      found.problem(`has a manifest that is refused: ${read.reason}`, `Correct ${pluginFile}.`)
      return { check: found.end(''), manifest: undefined }
    }
    const { manifest } = read
    const [first, again] = [
      await listedParts(folder, manifest.main),
      await listedParts(folder, manifest.main),
    ]
    const { tools, channel } = manifest
    if (canonical(first) !== canonical(again))
      found.problem(
        'lists its parts otherwise each time',
        'Let nothing in their definitions change by itself.',
      )
    else if (canonical(first) !== canonical({ tools, channel }))
      found.problem(
        'has other tools, or another channel, than its manifest says, so it would be stopped',
        rewrite,
      )
    return {
      check: found.end(
        `${manifest.tools.length === 1 ? '1 tool' : `${manifest.tools.length} tools`}, as the code has them`,
      ),
      manifest,
    }
  } catch (error) {
    found.problem(`cannot be loaded: ${firstLineOf(error)}`, 'Load it with node, and see what it says.')
    return { check: found.end(''), manifest: undefined }
  }
}

const canonical = (value: unknown) => canonicalText(JSON.parse(JSON.stringify(value)) as JsonObject)

async function checkFiles(
  folder: string,
): Promise<{ readonly check: Check; readonly files: SkillFiles | undefined }> {
  const check = openCheck('files')
  const found = await filesInFolder(folder, ignored)
  if (found.kind === 'refused') {
    check.problem(`has files that cannot be let in: ${found.reason}`, 'Take them out of the folder.')
    return { check: check.end(''), files: undefined }
  }
  for (const line of skillReport(found.files)) check.note(`the card will say: ${line}`)
  const size = [...found.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { check: check.end(`${found.files.size} files, ${size} bytes`), files: found.files }
}

const testsMs = 80_000

async function checkTests(folder: string): Promise<Check> {
  const check = openCheck('tests')
  const { output, isOk } = await new Promise<{ output: string; isOk: boolean }>((settle) => {
    execFile(
      process.execPath,
      ['--test', '--test-reporter=tap'],
      { cwd: folder, timeout: testsMs, maxBuffer: 10_000_000 },
      (error, stdout) => settle({ output: stdout, isOk: error === null }),
    )
  })
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  if (!isOk) check.problem(`fails ${count('fail')} of its own tests`, 'See them with `node --test`.')
  else if (count('pass') === 0) return check.skip('it has no tests of its own')
  return check.end(`${count('pass')} tests of its author passed`)
}

interface TriedPlugin {
  readonly manifest: PluginManifest
  readonly files: SkillFiles
  readonly request: TestPluginRequest
}

async function tryExamples(
  { manifest, files, request }: TriedPlugin,
  check: ReturnType<typeof openCheck>,
): Promise<Check> {
  const { tools } = manifest
  if (tools.length === 0) return check.skip('it has no tools')
  if (request.offline && manifest.hosts.length > 0) return check.skip('it asks hosts, and this is offline')
  if (Object.keys(manifest.secrets).length > 0)
    check.note('it is tried without its secrets: an example should do without them, or say so')
  const host = await openScratchHost({
    tools: builtinTools.filter(({ group }) => group === 'servers'),
    parent: request.scratch,
  })
  try {
    if (host.sandbox.kind !== 'available') return check.skip(`there is no sandbox: ${host.sandbox.reason}`)
    const signal = AbortSignal.timeout(testsMs)
    const from = copied(files, join(request.scratch, 'files'))
    const added = await host.call('add_plugin', canonical(addition(manifest, files, from)), signal)
    if (added.kind !== 'done' || !added.result.ok) {
      check.problem(`cannot be let in: ${endOf(added)}`, 'Correct it, and test again.')
      return check.end('')
    }
    for (const tool of tools) {
      const ask = (input: JsonObject) =>
        host.call('call_server_tool', canonical(callOf(manifest, tool, input)), signal)
      const ended = await ask(tool.example)
      if (ended.kind !== 'done' || !ended.result.ok)
        check.problem(
          `${tool.name} does not answer its example: ${endOf(ended)}`,
          'Correct the tool or the example.',
          tool.example,
        )
      else if (ended.result.text.length > longestUseful)
        check.problem(
          `${tool.name} answers its example with ${ended.result.text.length} characters`,
          `Answer with at most ${longestUseful}: a model reads all of it.`,
        )
      const other = await ask({ ...tool.example, not_an_argument_of_this_tool: true })
      if (other.kind === 'done' && other.result.ok)
        check.problem(
          `${tool.name} takes arguments that it does not know`,
          'Use z.strictObject, so that a mistake is told.',
        )
    }
    const where = host.sandbox.sandbox.name
    const net = manifest.hosts.length === 0 ? 'no network' : `only ${manifest.hosts.join(', ')}`
    return check.end(`${tools.length} of ${tools.length} run in ${where}, with ${net}`)
  } finally {
    await host.close()
  }
}

/** Its hosts are where the scripted platform is, and nothing else of it is another. */
async function channelChecks(
  { manifest, files, request }: TriedPlugin,
  tell: (done: number, of: number) => void,
): Promise<Check[]> {
  const folder = resolve(request.folder)
  const cases = await checkCases({ folder, manifest }, tell)
  if (cases.state === 'failed') return [cases]
  const skipped = (why: string) => [cases, openCheck('sandbox').skip(why)]
  const platform = await (await scriptedPlatform(folder))?.open()
  if (platform?.host === undefined) {
    await platform?.close()
    return skipped('the scripted platform does not say its host')
  }
  const tried: PluginManifest = { ...manifest, hosts: [platform.host], secrets: {}, data: false }
  const host = await openScratchHost({
    tools: builtinTools.filter(({ group }) => group === 'servers'),
    open: askedHosts(tried),
    parent: request.scratch,
  })
  try {
    if (host.sandbox.kind !== 'available') return skipped(`there is no sandbox: ${host.sandbox.reason}`)
    const bytes = Buffer.from(JSON.stringify(tried))
    const changed = new Map([...files, [pluginFile, { bytes, executable: false }] as const])
    const from = copied(changed, join(request.scratch, 'channel'))
    const signal = AbortSignal.timeout(testsMs)
    const added = await host.call('add_plugin', canonical(addition(tried, changed, from)), signal)
    if (added.kind !== 'done' || !added.result.ok) return skipped(`it cannot be let in: ${endOf(added)}`)
    return [
      cases,
      await checkInSandbox(host, { manifest: tried, platform, launch: host.launchOf(tried.name) }),
    ]
  } finally {
    await host.close()
    await platform.close()
  }
}

const longestUseful = 20_000

function endOf(end: Awaited<ReturnType<Awaited<ReturnType<typeof openScratchHost>>['call']>>): string {
  return (end.kind === 'done' ? end.result.text : end.reason).split('\n')[0]?.slice(0, 300) ?? ''
}

/** As it will be let in: without the repository, and what belongs to this computer only. */
function copied(files: SkillFiles, folder: string): string {
  for (const [path, { bytes, executable }] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes, { mode: executable ? 0o755 : 0o644 })
  }
  return folder
}

function addition(manifest: PluginManifest, files: SkillFiles, from: string) {
  return {
    name: manifest.name,
    files: treeFilesOf(files),
    text: Buffer.from(files.get(pluginFile)?.bytes ?? []).toString('utf8'),
    report: skillReport(files),
    folders: [],
    hosts: askedHosts(manifest),
    secrets: {},
    data: manifest.data,
    tiers: Object.fromEntries(manifest.tools.map(({ name, tier }) => [name, tier])),
    from,
    source: 'a test',
    replaces: null,
  }
}

function callOf({ name }: PluginManifest, tool: PluginManifest['tools'][number], input: JsonObject) {
  const definition = toolDefinitionHash(listedAs(tool))
  return { server: name, tool: tool.name, definition, input, secrets: [], plugin: true }
}
