/**
 * Owns the arrows: which package and which folder of the kernel may import which, who may read the environment, and who
 * holds what alone. Pure: it judges a workspace that is handed to it and returns what is wrong, as sentences.
 */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Manifest, Source, Workspace } from './workspace.ts'

/** The entries of our packages that a product package may import. */
export const packageArrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  verify: [],
  policy: ['contract'],
  agent: ['contract'],
  tools: ['contract', 'contract/node', 'contract/skills'],
  models: ['contract', 'agent'],
  // What plugins import, and the program that loads them, are only found, to be shown and started in the sandbox.
  executor: [
    'contract',
    'contract/node',
    'contract/skills',
    'tools',
    'tools/plugin-runner',
    'channels/plugin-api',
  ],
  'tool-lab': [
    'contract',
    'contract/node',
    'contract/skills',
    'tools',
    'tools/plugin-api',
    'tools/plugin-runner',
    'channels/plugin-api',
    'channels/plugin-kit',
    'executor/workbench',
  ],
  // An executor on another computer: it believes the operator, and nothing of the gateway is in it.
  node: ['contract', 'contract/node', 'contract/words', 'tools', 'executor/node'],
  // What stands between a platform and the gateway knows neither the product's records nor its keys.
  channels: [],
  database: [],
  engine: [],
  kernel: ['contract', 'contract/node', 'policy', 'agent', 'database', 'engine'],
  // It reads what the kernel wrote, in transactions that cannot write.
  views: ['contract', 'kernel', 'policy'],
  assistant: ['contract', 'agent', 'kernel', 'tools'],
  // `executor/main` is only found, to be started as a process. From `agent` come the ports that it connects.
  gateway: [
    'contract',
    'contract/doctor',
    'contract/node',
    'contract/routes',
    'contract/settings',
    'kernel',
    'views',
    'assistant',
    'models',
    'tools',
    'executor',
    'executor/main',
    // `channels/main` too.
    'channels',
    'channels/main',
    'agent',
  ],
  // The command line signs with the key of its host, which only `contract/node` can read.
  cli: [
    'contract',
    'contract/client',
    'contract/doctor',
    'contract/log-witness',
    'contract/node',
    'contract/routes',
    'contract/settings',
    'contract/skills',
    'contract/words',
  ],
  web: ['contract', 'contract/client', 'contract/words'],
}

/** The modules of the runtime that a package without input and output may use. */
const pureFolders: readonly { readonly folder: string; readonly but: string; readonly allowed: string[] }[] =
  [
    { folder: 'packages/agent/src/', but: '', allowed: [] },
    { folder: 'packages/policy/src/', but: '', allowed: ['node:crypto'] },
    { folder: 'packages/contract/src/', but: 'packages/contract/src/node/', allowed: [] },
  ]

/** Every folder may reach the store: a folder writes its own rows, within the transaction of whoever called it. */
const kernelArrows: Readonly<Record<string, readonly string[]>> = {
  store: [],
  secrets: [],
  pictures: [],
  ledger: ['store'],
  stream: ['store'],
  policies: ['ledger', 'store'],
  permits: ['ledger', 'stream', 'store'],
  approvals: ['ledger', 'stream', 'store'],
  budgets: ['ledger', 'store'],
  // A run that could not ask for want of room goes on when there is some.
  lanes: ['approvals', 'store'],
  retention: ['store'],

  forget: ['store'],
  sessions: ['store'],
  records: ['sessions', 'forget', 'budgets', 'store'],
  'asked-for': ['store'],
  dispatch: ['asked-for', 'policies', 'approvals', 'permits', 'secrets', 'budgets', 'ledger', 'store'],
  // A run that is ended by force takes its questions back, and asks about what may have happened.
  runs: ['approvals', 'asked-for', 'dispatch', 'pictures', 'lanes', 'budgets', 'stream', 'store'],
}

/** Arrows of the kernel for types only: the value arrives as an argument, so no code is reached. */
const kernelTypeArrows: readonly { readonly from: string; readonly to: string; readonly because: string }[] =
  [
    { from: 'approvals', to: 'permits', because: 'a verdict mints through the permits that it is given' },
    { from: 'runs', to: 'records', because: 'the assistant is given a transaction on records' },
  ]

/** What is drawn stands above what it is drawn with. Words and languages are below everything, and know nothing of it. */
const webArrows: Readonly<Record<string, readonly string[]>> = {
  language: ['words'],
  words: ['language'],
  data: ['words', 'language'],
  // What every part of a page runs in: its services, its address, its keys and its announcements.
  environment: ['data', 'words', 'language'],
  kit: ['environment', 'words', 'language'],
  charts: ['kit', 'environment', 'words', 'language'],
  thread: ['deciding', 'charts', 'kit', 'environment', 'data', 'words', 'language'],
  deciding: ['kit', 'environment', 'data', 'words', 'language'],
  screens: ['deciding', 'thread', 'charts', 'kit', 'environment', 'data', 'words', 'language'],
  app: ['screens', 'kit', 'environment', 'data', 'words', 'language'],
}

/** Declared without an import: the providers of the models take it from whoever installs them. */
const peers = ['packages/models zod']

const environmentReaders = [
  'packages/gateway/src/config.ts',
  'packages/gateway/src/main.ts',
  'packages/cli/src/environment.ts',
  // Runs in the sandbox, where nothing is in it but what the operator gave to the plugin.
  'packages/tools/src/plugin-runner/runner.ts',
]

const singleHolders: readonly {
  readonly what: string
  readonly pattern: RegExp
  readonly holders: readonly string[]
}[] = [
  {
    what: 'constructs the kernel',
    pattern: /\bopenKernel\b/,
    holders: [
      'packages/gateway/src/main.ts',
      'packages/gateway/src/gateway.ts',
      'packages/kernel/src/open-kernel.ts',
      'packages/kernel/src/index.ts',
    ],
  },
  {
    what: 'writes the table of the ledger',
    pattern: /(insertInto|updateTable|deleteFrom|insert into|update|delete from)[\s('"`]+ledger_entries\b/,
    holders: ['packages/kernel/src/ledger/', 'packages/kernel/src/store/migrations/'],
  },
]

export interface Import {
  readonly specifier: string
  readonly kind: 'value' | 'type'
  /** Loaded when the code that names it runs, and not with its file. */
  readonly dynamic?: boolean
}

export function findViolations(workspace: Workspace): string[] {
  const product = workspace.sources.filter(({ path }) => path.startsWith('packages/'))
  return [
    ...workspace.sources.flatMap((source) => packageViolations(source, workspace)),
    ...product.filter(isProduct).flatMap(productViolations),
    ...kernelViolations(product.filter(isProduct)),
    ...product.filter(isProduct).flatMap(webViolations),
    ...manifestViolations(workspace),
  ]
}

/** The lines of the kernel that one person has to read to trust it; its tests are not among them. */
export function kernelLines(workspace: Workspace): number {
  return workspace.sources
    .filter((source) => source.path.startsWith('packages/kernel/src/') && isProduct(source))
    .reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}

/** Reads the code as the formatter leaves it: a statement begins its line. */
export function importsOf(text: string): Import[] {
  const code = text.replaceAll(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
  const found: Import[] = []
  for (const [, type, specifier = ''] of code.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'"`;()]*?\sfrom\s+)?'([^']+)'/gm,
  )) {
    found.push({ specifier, kind: type === undefined ? 'value' : 'type' })
  }
  for (const [, specifier = ''] of code.matchAll(/^@import "([^"./][^"]*)"/gm))
    found.push({ specifier, kind: 'value' })
  for (const [, before = '', specifier = ''] of code.matchAll(
    /(.{0,9})\b(?:import|require|import\.meta\.resolve|createRequire\([^)]*\)\.resolve)\('([^']+)'\)/g,
  )) {
    found.push({ specifier, kind: /[:|<&]\s*$/.test(before) ? 'type' : 'value', dynamic: true })
  }
  return found
}

/** The one file outside the packages that they may read; it has the version of the product. */
const rootManifest = 'package.json'

/** Tests, and the suites and stand-ins that tests share. */
function isTest(path: string): boolean {
  if (path === rootManifest) return false
  return /\.test\.ts$|\/testing\/|\/contract\.ts$/.test(path) || !path.startsWith('packages/')
}

export function isProduct({ path }: Pick<Source, 'path'>): boolean {
  return !isTest(path)
}

function packageViolations(source: Source, workspace: Workspace): string[] {
  const { path } = source
  const owner = workspace.members.find(({ folder }) => path.startsWith(`${folder}/`))
  if (owner === undefined) return [`${path} belongs to no package.`]
  const declared = new Set([
    owner.manifest.name,
    ...Object.keys(owner.manifest.dependencies ?? {}),
    ...(isTest(path)
      ? Object.keys({ ...workspace.root.devDependencies, ...owner.manifest.devDependencies })
      : []),
  ])
  return importsOf(source.text).flatMap(({ specifier }) => {
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(path), specifier)
      if (target.startsWith(`${owner.folder}/`) || target === rootManifest) return []
      const between = path.startsWith('tests/') || (isTest(path) && target.startsWith('tests/'))
      return between ? [] : [`${path} reaches into another package: ${specifier}.`]
    }
    if (isBuiltin(specifier)) return []
    const name = packageOf(specifier)
    if (!declared.has(name))
      return [`${path} imports ${name}, which ${owner.manifest.name} does not declare.`]
    return entryViolation(path, specifier, workspace)
  })
}

/** Our packages are entered only by the doors that their manifests name. */
function entryViolation(path: string, specifier: string, workspace: Workspace): string[] {
  const name = packageOf(specifier)
  const target = workspace.members.find(({ manifest }) => manifest.name === name)
  if (target === undefined) return []
  const entry = `.${specifier.slice(name.length)}`
  return target.manifest.exports?.[entry] === undefined
    ? [`${path} imports ${specifier}, which ${name} does not export.`]
    : []
}

function productViolations(source: Source): string[] {
  const { path, text } = source
  const [, packageName = ''] = path.split('/')
  const allowed = packageArrows[packageName]
  if (allowed === undefined) return [`${path} is in a package that has no arrows yet.`]
  const found: string[] = []
  for (const { specifier } of importsOf(text)) {
    const entry = /^@countersign\/(.+)$/.exec(specifier)?.[1]
    if (entry !== undefined && !allowed.includes(entry)) found.push(`${path} may not import ${specifier}.`)
    if (specifier.startsWith('.') && isTest(posix.join(posix.dirname(path), specifier))) {
      found.push(`${path} imports test code: ${specifier}.`)
    }
    const pure = pureFolders.find(
      ({ folder, but }) => path.startsWith(folder) && (but === '' || !path.startsWith(but)),
    )
    if (pure && isBuiltin(specifier) && !pure.allowed.includes(specifier)) {
      found.push(`${path} is pure and may not import ${specifier}.`)
    }
  }
  if (readsEnvironment(text) && !environmentReaders.includes(path)) {
    found.push(`${path} reads the environment; only config does.`)
  }
  for (const { what, pattern, holders } of singleHolders) {
    if (pattern.test(text) && !holders.some((holder) => path.startsWith(holder))) {
      found.push(`${path} ${what}; only ${holders[0]} may.`)
    }
  }
  return found
}

function readsEnvironment(text: string): boolean {
  return (
    /\bprocess\s*(\??\.\s*env\b|\[\s*['"`]env)/.test(text) ||
    /\{[^}]*\benv\b[^}]*\}\s*(=\s*process\b|from\s+'(node:)?process')/.test(text)
  )
}

function kernelViolations(sources: readonly Source[]): string[] {
  const found: string[] = []
  const used = new Set<string>()
  for (const { path, text } of sources) {
    const from = kernelFolder(path)
    if (from === undefined) continue
    if (!(from in kernelArrows)) found.push(`The kernel has a folder without arrows: ${from}.`)
    for (const { specifier, kind } of importsOf(text)) {
      if (!specifier.startsWith('.')) continue
      const target = posix.join(posix.dirname(path), specifier)
      const to = kernelFolder(target)
      if (to === from) continue
      if (to === undefined) {
        found.push(
          `${path} is a folder of the kernel and may not import ${specifier}, which composes the folders.`,
        )
      } else if (!kernelArrows[from]?.includes(to)) {
        const exception = kernelTypeArrows.find((arrow) => arrow.from === from && arrow.to === to)
        if (exception && kind === 'type') used.add(`${from} → ${to}`)
        else found.push(`${path}: ${from} may not import ${to}${exception ? ', except its types' : ''}.`)
      }
    }
  }
  if (sources.some(({ path }) => kernelFolder(path) !== undefined)) {
    for (const { from, to } of kernelTypeArrows) {
      if (!used.has(`${from} → ${to}`)) found.push(`No file needs the type arrow ${from} → ${to} any more.`)
    }
  }
  return found
}

function webViolations({ path, text }: Source): string[] {
  const from = webFolder(path)
  if (from === undefined) return []
  const allowed = webArrows[from]
  if (allowed === undefined) return [`The web app has a folder without arrows: ${from}.`]
  return importsOf(text).flatMap(({ specifier }) => {
    if (!specifier.startsWith('.')) return []
    const to = webFolder(posix.join(posix.dirname(path), specifier))
    return to === from || (to !== undefined && allowed.includes(to))
      ? []
      : [`${path}: ${from} may not import ${to ?? specifier}.`]
  })
}

/** The folder under the web app's source; the entry is in none. */
function webFolder(path: string): string | undefined {
  return /^packages\/web\/src\/([^/]+)\//.exec(path)?.[1]
}

/** The folder under the kernel's source; its own files, which compose the folders, are in none. */
function kernelFolder(path: string): string | undefined {
  return /^packages\/kernel\/src\/([^/]+)\//.exec(path)?.[1]
}

function manifestViolations({ root, members, sources }: Workspace): string[] {
  const found = pinViolations('package.json', root)
  for (const { folder, manifest } of members) {
    found.push(...pinViolations(`${folder}/package.json`, manifest))
    if (manifest.version !== undefined)
      found.push(`${folder}/package.json has a version; the one of package.json holds for all.`)
    // A suite that is being written declares what it will use; the product declares what it uses.
    if (!folder.startsWith('packages/')) continue
    const imported = new Set(
      sources
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .flatMap(({ text }) => importsOf(text).map(({ specifier }) => packageOf(specifier))),
    )
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (!imported.has(name) && !peers.includes(`${folder} ${name}`))
        found.push(`${folder}/package.json declares ${name}, which nothing imports.`)
    }
  }
  return found
}

function pinViolations(path: string, manifest: Manifest): string[] {
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => version !== 'workspace:*' && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${path} does not pin ${name} to one version: ${version}.`)
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
