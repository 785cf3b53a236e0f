/**
 * Owns the programs that open files of strangers: one process in the sandbox for each file, which sees the bytes of
 * that file, our program and its libraries, and neither workspace nor network. Its answer is read with suspicion.
 */
import { Buffer } from 'node:buffer'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseStrict } from '@countersign/contract'
import type { DocumentJob, DocumentQuestion, DocumentResult, Failure } from '@countersign/tools'
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
  mail: ['postal-mime'],
  office: ['saxes'],
  'mail-sender': ['mailauth', 'ipaddr.js'],
  calendar: ['ical.js', '@xmldom/xmldom'],
}

export interface DocumentPrograms {
  run<Facts>(
    question: DocumentQuestion<Facts>,
    bytes: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<DocumentResult<Facts> | Failure>
}

export function createDocumentPrograms(sandbox: Sandbox): DocumentPrograms {
  const mounted = new Map<DocumentProgram, ProgramFiles>()
  const turn = turns(documentLimits.atOnce)
  return {
    run({ job: { program, ...request }, form }, bytes, signal) {
      const files = mounted.get(program) ?? filesOf(program, libraries[program])
      mounted.set(program, files)
      const work = { files, limits: documentLimits, request, form, bytes }
      return turn(() => runProgram(sandbox, work, signal))
    },
  }
}

export interface ProgramWork<Facts> {
  readonly files: ProgramFiles
  readonly limits: ProgramLimits
  readonly request: object
  readonly form: z.ZodType<Facts>
  readonly bytes: Uint8Array | null
}

export interface ProgramLimits {
  readonly timeoutMs: number
  readonly maxOutputBytes: number
  readonly maxMemoryBytes: number
  readonly maxHeapMegabytes: number
  readonly maxProcesses: number
}

/** One process for one request. */
export async function runProgram<Facts>(
  sandbox: Sandbox,
  { files, limits, request, form, bytes }: ProgramWork<Facts>,
  signal: AbortSignal,
): Promise<DocumentResult<Facts> | Failure> {
  const { timeoutMs, maxOutputBytes, maxMemoryBytes, maxHeapMegabytes, maxProcesses } = limits
  const words = [`--max-old-space-size=${maxHeapMegabytes}`, '--no-warnings', ...hardened]
  const line = Buffer.from(`${JSON.stringify(request)}\n`)
  const result = await sandbox.run(
    {
      argv: [sandboxNode, ...words, files.main],
      cwd: '',
      env: {},
      stdin: bytes === null ? line : Buffer.concat([line, bytes]),
      profile: 'read-only',
      instead: files.mounts,
      timeoutMs,
      maxOutputBytes,
      maxMemoryBytes,
      maxProcesses,
    },
    signal,
  )
  return answerOf(result, form, timeoutMs)
}

/** What is in a file must not become a program. */
const hardened = ['--disallow-code-generation-from-strings', '--disable-proto=throw']

const Refused = z.strictObject({ kind: z.enum(['failed', 'broken']), reason: z.string().max(2_000) })

/** A line of facts, and a line for each file. Who took the program over wrote it, so it is measured before it is read. */
function answerOf<Facts>(
  result: SandboxResult,
  form: z.ZodType<Facts>,
  timeoutMs: number,
): DocumentResult<Facts> | Failure {
  if (result.kind !== 'exited')
    return failed(
      result.kind === 'cancelled'
        ? 'It was cancelled.'
        : `It was not done after ${timeoutMs / 1000} seconds, and was ended.`,
    )
  if (result.truncated) return failed('It gives more than is taken over, and was ended.')
  const { maxFactsBytes, maxFactsDepth, maxFiles } = documentLimits
  const [line = '', ...files] = result.stdout.split('\n', maxFiles + 2)
  const read = parseStrict(line, { bytes: maxFactsBytes, depth: maxFactsDepth })
  if (read.kind === 'refused')
    return failed(read.reason === 'too-large' ? 'It says more than is taken over.' : endedText(result))
  const refused = Refused.safeParse(read.value)
  if (refused.success) {
    const { kind, reason } = refused.data
    return failed(kind === 'failed' ? reason : `It is damaged: ${reason}`)
  }
  const done = z.strictObject({ kind: z.literal('done'), facts: form }).safeParse(read.value)
  // Each line has its end, so that after the last there is nothing.
  if (!done.success || files.pop() !== '') return failed('The program gave an answer that makes no sense.')
  return {
    kind: 'done',
    facts: done.data.facts,
    files: files.map((file) => Buffer.from(file, 'base64')),
  }
}

/** A program that was ended, by the kernel or by itself, needed more than there is of something. */
function endedText({ stderr }: Extract<SandboxResult, { kind: 'exited' }>): string {
  const missing = /Cannot find (?:module|package) '([^']{1,100})/.exec(stderr)?.[1]
  if (missing !== undefined) return `The program lacks ${missing}. Install the product again.`
  return 'It takes more memory than opening a file may take, and was ended.'
}

function failed(reason: string): Failure {
  return { kind: 'failed', reason }
}

/** At most so many at once, in the order of asking. */
export function turns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
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

export interface ProgramFiles {
  readonly main: string
  readonly mounts: readonly SandboxMount[]
}

/** Where a program and what it reads lie in the sandbox. */
export const programFolder = '/opt/documents'

export function filesOf(program: string, packages: readonly string[] = []): ProgramFiles {
  const bundled = fileURLToPath(new URL(`./${program}-program.js`, import.meta.url))
  const mounts = [...packageFolders(packages)].map(([name, from]) => {
    return { from, at: `${programFolder}/node_modules/${name}` }
  })
  if (existsSync(bundled)) {
    const main = `${programFolder}/program/${program}.mjs`
    return { main, mounts: [{ from: realpathSync(bundled), at: main }, ...mounts] }
  }
  const sources = realpathSync(fileURLToPath(new URL('./program', import.meta.url)))
  return {
    main: `${programFolder}/program/${program}.ts`,
    mounts: [{ from: sources, at: `${programFolder}/program` }, ...mounts],
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
