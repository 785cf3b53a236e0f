/** Runs the lab for tests as the command line does: as a process of its own, on a file that a test has written. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check, CheckName } from '../check.ts'
import type { ExaminationResult, ToolReport } from '../examine.ts'
import type { ToolNotFound } from '../loaded-tool.ts'
import type { TestRequest } from '../request.ts'
import type { ScaffoldResult } from '../scaffold.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface AuthorFolder {
  readonly folder: string
  /** Writes the tool and examines it. */
  examine(code: string, request?: Partial<TestRequest>): Promise<ToolReport>
  remove(): void
}

export function authorFolder(): AuthorFolder {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-author-'))
  const session = openSession()
  let written = 0
  return {
    folder,
    async examine(code, request = {}) {
      written += 1
      const file = join(folder, `tool-${written}.ts`)
      writeFileSync(file, code)
      const answer = await session.ask({
        ask: 'test',
        target: file,
        folder,
        open: [],
        count: 60,
        seed: 7,
        ...request,
      })
      if (answer.kind === 'failed') throw new Error(answer.message)
      const [report] = answer.reports
      if (!report) throw new Error('no report')
      return report
    },
    remove() {
      session.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One process for many requests, one after the other, since most of the time of a short test is the start. */
function openSession(): { ask(request: object): Promise<ExaminationResult>; close(): void } {
  const child = fork(fileURLToPath(new URL('./session.ts', import.meta.url)))
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (request: object): Promise<ExaminationResult> => {
    child.send(request)
    const [answer] = await once(child, 'message')
    return answer as ExaminationResult
  }
  return {
    ask(request) {
      const answer = last.then(() => ask(request))
      last = answer.catch(() => undefined)
      return answer
    },
    close: () => child.disconnect(),
  }
}

export function askLab<Answer extends ExaminationResult | ScaffoldResult | ToolNotFound>(
  request: object,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdin.end(JSON.stringify(request))
  child.once('close', () => {
    if (output === '') reject(new Error(errors))
    else resolve(JSON.parse(output) as Answer)
  })
  return promise
}

export function checkIn(report: ToolReport, name: CheckName): Check {
  const found = report.checks.find((check) => check.name === name)
  if (!found) throw new Error(`no check ${name}`)
  return found
}

export function sentencesIn(report: ToolReport, name: CheckName): string[] {
  return checkIn(report, name).problems.map(({ sentence }) => sentence)
}

export function failedIn(report: ToolReport): string[] {
  return report.checks.filter(({ state }) => state === 'failed').map(({ name }) => name)
}
