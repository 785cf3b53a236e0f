/**
 * Owns the programs that open files of strangers: one process in the sandbox for each file, which sees the bytes of
 * that file, our program and its libraries, and neither workspace nor network. Its answer is read with suspicion.
 */
import { Buffer } from 'node:buffer'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentJob, DocumentResult, Failure } from '@countersign/tools'
import { z } from 'zod'
import { sandboxNode } from '../sandbox/layout.ts'
import type { Sandbox, SandboxMount, SandboxResult } from '../sandbox/port.ts'
import { documentLimits } from './limits.ts'

export type DocumentProgram = DocumentJob['program']

/** The libraries of each program, by name. Those that are bundled with it need no folder. */
const libraries: Readonly<Record<DocumentProgram, readonly string[]>> = {
  pdf: ['unpdf'],
  'pdf-writer': ['@cantoo/pdf-lib', '@cantoo/fontkit'],
  image: ['sharp'],
  audio: [],
}

export interface DocumentPrograms {
  run(job: DocumentJob, bytes: Uint8Array | null, signal: AbortSignal): Promise<DocumentResult | Failure>
}

export function createDocumentPrograms(sandbox: Sandbox): DocumentPrograms {
  const mounted = new Map<DocumentProgram, ProgramFiles>()
  const turn = turns(documentLimits.atOnce)
  return {
    async run({ program, ...request }, bytes, signal) {
      const files = mounted.get(program) ?? filesOf(program)
      mounted.set(program, files)
      const { maxHeapMegabytes, maxInputBytes: _, atOnce: __, ...limits } = documentLimits
      const words = [`--max-old-space-size=${maxHeapMegabytes}`, '--no-warnings', ...hardened]
      const line = Buffer.from(`${JSON.stringify(request)}\n`)
      const result = await turn(() =>
        sandbox.run(
          {
            argv: [sandboxNode, ...words, files.main],
            cwd: '',
            env: {},
            stdin: bytes === null ? line : Buffer.concat([line, bytes]),
            profile: 'read-only',
            instead: files.mounts,
            ...limits,
          },
          signal,
        ),
      )
      return answerOf(result)
    },
  }
}

/** What is in a file must not become a program. */
const hardened = ['--disallow-code-generation-from-strings', '--disable-proto=throw']

const Answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), facts: z.json(), files: z.array(z.base64()).max(100) }),
  z.strictObject({ kind: z.enum(['failed', 'broken']), reason: z.string().max(2_000) }),
])

function answerOf(result: SandboxResult): DocumentResult | Failure {
  if (result.kind !== 'exited')
    return failed(
      result.kind === 'cancelled'
        ? 'It was cancelled.'
        : `It was not done after ${documentLimits.timeoutMs / 1000} seconds, and was ended.`,
    )
  if (result.truncated) return failed('It gives more than is taken over, and was ended.')
  const answer = Answer.safeParse(jsonIn(result.stdout))
  if (!answer.success) return failed(endedText(result))
  if (answer.data.kind === 'done') {
    const { facts, files } = answer.data
    return { kind: 'done', facts, files: files.map((file) => Buffer.from(file, 'base64')) }
  }
  return failed(answer.data.kind === 'failed' ? answer.data.reason : `It is damaged: ${answer.data.reason}`)
}

/** A program that was ended, by the kernel or by itself, needed more than there is of something. */
function endedText({ stderr }: Extract<SandboxResult, { kind: 'exited' }>): string {
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(stderr)?.[1]
  if (missing !== undefined) return `The program lacks ${missing}. Install the product again.`
  return 'It takes more memory than opening a file may take, and was ended.'
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failed(reason: string): Failure {
  return { kind: 'failed', reason }
}

/** At most so many at once, in the order of asking. */
function turns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolved) => waiting.push(resolved))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

interface ProgramFiles {
  readonly main: string
  readonly mounts: readonly SandboxMount[]
}

const folder = '/opt/documents'

function filesOf(program: DocumentProgram): ProgramFiles {
  const bundled = fileURLToPath(new URL(`./${program}-program.js`, import.meta.url))
  const mounts = [...packageFolders(libraries[program])].map(([name, from]) => {
    return { from, at: `${folder}/node_modules/${name}` }
  })
  if (existsSync(bundled)) {
    const main = `${folder}/program/${program}.mjs`
    return { main, mounts: [{ from: realpathSync(bundled), at: main }, ...mounts] }
  }
  const sources = realpathSync(fileURLToPath(new URL('./program', import.meta.url)))
  return {
    main: `${folder}/program/${program}.ts`,
    mounts: [{ from: sources, at: `${folder}/program` }, ...mounts],
  }
}

/** The packages and those that they need, each with its folder, as far as they are installed. */
function packageFolders(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (wanted: readonly string[], from: string): void => {
    for (const name of wanted) {
      const at = found.has(name) ? undefined : folderOf(name, from)
      if (at === undefined) continue
      found.set(name, at)
      const { dependencies, optionalDependencies, peerDependencies } = Manifest.parse(
        JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')),
      )
      add(
        Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
        join(at, 'package.json'),
      )
    }
  }
  add(names, fileURLToPath(import.meta.url))
  return found
}

const Names = z.record(z.string(), z.string()).default({})
const Manifest = z.object({ dependencies: Names, optionalDependencies: Names, peerDependencies: Names })

/** Looked for as Node does; a package need not let its own manifest be imported. */
function folderOf(name: string, from: string): string | undefined {
  const places = createRequire(from).resolve.paths(name) ?? []
  const at = places.map((place) => join(place, name)).find((each) => existsSync(join(each, 'package.json')))
  return at === undefined ? undefined : realpathSync(resolve(dirname(join(at, 'package.json'))))
}
