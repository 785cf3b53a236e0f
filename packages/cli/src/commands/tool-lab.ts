/**
 * `countersign tool new` and `countersign tool test`: for whoever writes a tool. The work is done by the lab, a program
 * of its own that loads the code of the author; this only starts it, waits, and tells what it found.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCatalogue } from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'

interface Problem {
  readonly sentence: string
  readonly args: string | null
  readonly fix: string
  readonly times: number
}

interface Check {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly summary: string
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
}

export interface ToolReport {
  readonly tool: string
  readonly version: string
  readonly file: string | null
  readonly seed: number
  readonly count: number
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly ms: number
}

type LabAnswer =
  | {
      readonly kind: 'made'
      readonly name: string
      readonly folder: string
      readonly files: readonly { readonly path: string; readonly about: string }[]
    }
  | { readonly kind: 'examined'; readonly reports: readonly ToolReport[] }
  | { readonly kind: 'failed'; readonly message: string; readonly next: string }

export const create: Handler = async (context, [name = ''], options) => {
  const kind = options.kind ?? 'executor'
  if (kind !== 'executor' && kind !== 'record')
    return usage(`There is no kind ${line(String(kind))}: executor or record.`, 'tool new')
  const folder = resolve(typeof options.folder === 'string' ? options.folder : '.')
  const answer = await askLab({ ask: 'new', name, folder, kind }, context)
  if (answer.kind !== 'made') return notDone(answer)
  const { files } = answer
  const place = relative(process.cwd(), answer.folder) || '.'
  return done({ name, folder: answer.folder, files: files.map(({ path }) => path) }, () =>
    [
      `Made ${context.paint('strong', line(name))} in ${line(place)}/`,
      indent(columns(files.map(({ path, about }) => [line(path), context.paint('quiet', about)]))),
      '',
      'Next',
      indent(
        columns([
          [`cd ${line(place)} && node --test`, context.paint('quiet', 'run its tests; they pass')],
          [
            `countersign tool test ${line(place)}`,
            context.paint('quiet', 'fuzz it and compare its declared effects with its actions'),
          ],
        ]),
      ),
    ].join('\n'),
  )
}

export const test: Handler = async (context, [target = ''], options) => {
  const asked = requestOf(target, options)
  if (asked.kind !== 'asked') return asked
  // Removed here and not by the lab, which may have to be ended by force.
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const answer = await askLab({ ...asked.request, scratch }, context).finally(() =>
    rmSync(scratch, { recursive: true, force: true }),
  )
  if (answer.kind !== 'examined') return notDone(answer)
  const { reports } = answer
  const text = reports.map((report) => reportText(report, context)).join('\n\n')
  const bad = reports.filter((report) => !report.ok)
  if (bad.length === 0) return done({ reports }, text)
  if (!context.flags.json) context.say(`${text}\n`)
  const names = bad.map(({ tool, checks }) => {
    const wrong = checks.filter(({ state }) => state === 'failed').map(({ name }) => name)
    return `${line(tool)} does not hold: ${wrong.join(', ')}.`
  })
  return failed({
    type: 'tool_test_failed',
    message: names.join('\n'),
    next: `Correct it, then run it again with \`--seed ${bad[0]?.seed ?? 0}\` for the same arguments.`,
    exit: 1,
    details: { reports },
  })
}

const fewest = 1
const most = 100_000
const mostSeed = 0xffff_ffff

interface LabRequest {
  readonly kind: 'asked'
  readonly request: object
}

function requestOf(target: string, options: OptionValues): LabRequest | CommandAnswer {
  const count = numberOf(options.count ?? '500', fewest, most)
  const seed = options.seed === undefined ? undefined : numberOf(options.seed, 0, mostSeed)
  if (count === undefined)
    return usage(
      `--count ${line(String(options.count))} is not a number from ${fewest} to ${most}.`,
      'tool test',
    )
  if (options.seed !== undefined && seed === undefined)
    return usage(`--seed ${line(String(options.seed))} is not a number from 0 to ${mostSeed}.`, 'tool test')
  const open = placesOf(options.open)
  if (typeof open === 'string')
    return usage(`${line(open)} is not an address such as localhost:8080.`, 'tool test')
  const args = argsOf(options.args)
  if (args.kind === 'bad') return usage(args.message, 'tool test')
  const request = {
    ask: 'test',
    target,
    folder: process.cwd(),
    open,
    count,
    ...(seed === undefined ? {} : { seed }),
    ...(args.value === undefined ? {} : { args: args.value }),
    ...(typeof options.tool === 'string' ? { tool: options.tool } : {}),
    ...(typeof options.files === 'string' ? { files: resolve(options.files) } : {}),
  }
  return { kind: 'asked', request }
}

function numberOf(given: unknown, from: number, to: number): number | undefined {
  const number = /^\d{1,10}$/.test(String(given)) ? Number(given) : Number.NaN
  return number >= from && number <= to ? number : undefined
}

function placesOf(given: unknown): { host: string; port: number }[] | string {
  if (typeof given !== 'string') return []
  const places: { host: string; port: number }[] = []
  for (const text of given.split(',')) {
    const [, host, port] = /^(\[[0-9a-f:]+\]|[^\s:/]+):(\d{1,5})$/i.exec(text) ?? []
    if (host === undefined || port === undefined || Number(port) > 65_535) return text
    places.push({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) })
  }
  return places
}

type Args =
  | { readonly kind: 'good'; readonly value?: object }
  | { readonly kind: 'bad'; readonly message: string }

function argsOf(given: unknown): Args {
  if (typeof given !== 'string') return { kind: 'good' }
  const path = given.startsWith('@') ? given.slice(1) : undefined
  if (path !== undefined && !existsSync(path))
    return { kind: 'bad', message: `There is no file ${line(path)}.` }
  try {
    const value: unknown = JSON.parse(path === undefined ? given : readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'good', value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return {
    kind: 'bad',
    message: '--args is not a JSON object. Write it as \'{"path":"a.txt"}\', or as @file.',
  }
}

/** Beside the bundled command when published; in the neighbouring package in the repository. */
export function labProgram(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const candidates = [join(here, 'lab.js'), join(here, '..', '..', '..', 'tool-lab', 'src', 'main.ts')]
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`The tool lab was not found in any of these places: ${candidates.join(', ')}.`)
  return found
}

const silenceMs = 90_000
const graceMs = 2_000
const progressMs = 1_000

export function askLab(request: object, context: Context): Promise<LabAnswer> {
  const child = spawn(process.execPath, [labProgram()], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
  const progress = showProgress(context)
  const said = { output: '', errors: '' }
  let isStuck = false
  const stop = () => {
    isStuck = true
    child.kill('SIGTERM')
    // A tool that never comes back keeps the lab from hearing anything.
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
  }
  const limit = context.flags.waitMs ?? silenceMs
  // Starting the lab and loading the tool is no silence of the tool: a short wait begins with the first word.
  const startLimit = Math.max(limit, silenceMs)
  let timer = setTimeout(stop, startLimit)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.errors += text
  })
  child.on('message', (message) => {
    clearTimeout(timer)
    timer = setTimeout(stop, limit)
    progress.tell(message as LabProgress)
  })
  child.stdin?.on('error', () => undefined).end(JSON.stringify(request))
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      progress.clear()
      if (said.output !== '') settle(JSON.parse(said.output) as LabAnswer)
      else
        settle(
          isStuck
            ? stuckAnswer(progress.last() ? limit : startLimit, progress.last())
            : brokenAnswer(said.errors),
        )
    })
  })
}

interface LabProgress {
  readonly tool: string
  readonly check: string
  readonly done: number
  readonly of: number
}

interface ProgressLine {
  tell(progress: LabProgress): void
  clear(): void
  last(): LabProgress | undefined
}

/** Only to a person who waits for longer than a moment. */
function showProgress(context: Context): ProgressLine {
  const began = context.host.clock().getTime()
  const { errors } = context.host
  let last: LabProgress | undefined
  let isDrawn = false
  return {
    tell(progress) {
      last = progress
      if (!context.interactive || context.flags.quiet) return
      if (context.host.clock().getTime() - began < progressMs) return
      const far = progress.of > 0 ? ` ${progress.done} of ${progress.of}` : ''
      const words = `${line(progress.tool)}: ${progress.check}${far}`
      if (context.redraws) errors.write(`\r\u001b[2K${words}`)
      else if (!isDrawn) errors.write('Testing…\n')
      isDrawn = true
    },
    clear() {
      if (isDrawn && context.redraws) errors.write('\r\u001b[2K')
    },
    last: () => last,
  }
}

function stuckAnswer(limit: number, last: LabProgress | undefined): LabAnswer {
  const where = last ? ` It was at ${line(last.tool)}: ${last.check}, ${last.done} of ${last.of}.` : ''
  return {
    kind: 'failed',
    message: `The test made no progress for ${Math.round(limit / 1_000)} s and was stopped.${where}`,
    next: 'Look for an endless loop in the tool, or wait longer with --wait 5m.',
  }
}

function brokenAnswer(errors: string): LabAnswer {
  const words = errors.trim().split('\n')
  const why = words.find((text) => /^\w*Error\b/.test(text)) ?? words.at(-1) ?? ''
  return {
    kind: 'failed',
    message: `The test ended early: ${line(why)}`,
    next: 'Check whether the tool ends the process or leaves a rejection unhandled; otherwise run `countersign doctor`.',
  }
}

export function notDone(answer: LabAnswer): CommandAnswer {
  if (answer.kind !== 'failed') throw new Error(`The lab gave an unexpected answer: ${answer.kind}.`)
  return failed({
    type: 'usage',
    message: line(answer.message),
    next: line(answer.next),
    exit: errorCatalogue.usage.exit,
  })
}

const marks = { passed: '✓', failed: '✗', skipped: '–' } as const
const inks = { passed: 'good', failed: 'bad', skipped: 'quiet' } as const
const mostProblems = 5

export function reportText(report: ToolReport, context: Context): string {
  const { paint } = context
  const from = report.file === null ? 'built in' : relative(process.cwd(), report.file)
  const width = Math.max(...report.checks.map(({ name }) => name.length))
  const sections = report.checks.flatMap((check) => [
    indent(
      `${paint(inks[check.state], marks[check.state])} ${check.name.padEnd(width)}  ${summaryOf(check, context)}`,
    ),
    ...check.problems
      .slice(0, mostProblems)
      .map((problem) => indent(problemText(problem, context), '      ')),
    ...(check.problems.length > mostProblems
      ? [indent(`and ${check.problems.length - mostProblems} more; --json shows all of them`, '      ')]
      : []),
    ...check.notes.map((note) => indent(paint('quiet', `· ${line(note)}`), '      ')),
  ])
  return [
    `${paint('strong', line(report.tool))}  ${paint('quiet', line(from))}`,
    '',
    ...sections,
    '',
    `${tallyOf(report)} ${triedText(report)}${(report.ms / 1_000).toFixed(1)} s.`,
  ].join('\n')
}

/** A plugin is tried with its examples only. */
function triedText({ count, seed }: ToolReport): string {
  return count === 0 ? '' : `${count} arguments from seed ${seed}, `
}

function summaryOf({ state, summary }: Check, { paint }: Context): string {
  return state === 'skipped' ? paint('quiet', line(summary)) : line(summary)
}

function problemText({ sentence, args, fix, times }: Problem, { paint }: Context): string {
  return [
    `It ${line(sentence)}${times > 1 ? ` (${times} times)` : ''}.`,
    ...(args === null ? [] : [`  ${paint('quiet', 'with')} ${line(args)}`]),
    `  ${paint('quiet', line(fix))}`,
  ].join('\n')
}

function tallyOf({ checks }: ToolReport): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const parts = [
    `${count('passed')} passed`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} did not apply`] : []),
  ]
  return `${parts.join(', ')}.`
}
