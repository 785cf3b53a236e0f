/** Owns finding and running the fixed programs of this system, with an environment of few names and bounded output. */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type DesktopCommand, isPlaced, programFolders } from './commands.ts'

export interface SystemPrograms {
  find(program: string): Promise<string | undefined>
  run(command: DesktopCommand, signal: AbortSignal): Promise<ProgramAnswer>
}

export type ProgramAnswer =
  | { readonly kind: 'answered'; readonly output: string; readonly truncated: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export interface SystemOptions {
  readonly platform: NodeJS.Platform
  /** The names by which a program finds the session of its owner, such as DISPLAY; nothing else goes along. */
  readonly environment: Readonly<Record<string, string>>
  readonly folders?: readonly string[]
}

const mostOutput = 100_000
const mostComplaint = 1_000

export function createSystemPrograms(options: SystemOptions): SystemPrograms {
  const folders = options.folders ?? programFolders(options.platform)

  async function find(program: string): Promise<string | undefined> {
    for (const path of isPlaced(program) ? [program] : folders.map((folder) => join(folder, program))) {
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isThere) return path
    }
    return undefined
  }

  return {
    find,
    async run(command, signal) {
      const path = await find(command.program)
      if (path === undefined) return { kind: 'failed', reason: `There is no ${command.program} here.` }
      return started(path, command, { environment: options.environment, path: folders.join(':') }, signal)
    },
  }
}

function started(
  path: string,
  { program, args, stdin = '', answers, timeoutMs, mayStay }: DesktopCommand,
  host: { readonly environment: Readonly<Record<string, string>>; readonly path: string },
  signal: AbortSignal,
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      cwd: '/',
      env: { ...host.environment, PATH: host.path, LANG: 'C.UTF-8' },
      // What stays behind would keep a pipe open.
      stdio: ['pipe', answers ? 'pipe' : 'ignore', answers ? 'pipe' : 'ignore'],
      windowsHide: true,
    })
    let output = ''
    let truncated = false
    let complaint = ''
    let why: string | undefined
    const end = (words: string) => {
      why ??= words
      child.kill('SIGKILL')
    }
    const late = () => {
      if (!mayStay) return end(`${program} took too long.`)
      child.unref()
      settle({ kind: 'answered', output: '', truncated: false })
    }
    const timer = setTimeout(late, timeoutMs)
    const stop = () => end('Cancelled.')
    signal.addEventListener('abort', stop, { once: true })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      truncated ||= output.length + text.length > mostOutput
      output = (output + text).slice(0, mostOutput)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, mostComplaint)
    })
    // It may end without having read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(stdin)
    const settle = (answer: ProgramAnswer) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(answer)
    }
    child.once('error', (error) => settle({ kind: 'failed', reason: `${program}: ${error.message}` }))
    child.once(answers ? 'close' : 'exit', (code) => {
      if (why !== undefined) return settle({ kind: 'failed', reason: why })
      if (code === 0) return settle({ kind: 'answered', output: output.toWellFormed(), truncated })
      const said = complaint.trim().split('\n')[0] ?? ''
      settle({ kind: 'failed', reason: `${program} ended with ${code ?? 'a signal'}${said && `: ${said}`}.` })
    })
    if (signal.aborted) stop()
  })
}
