/** Owns one Chromium process: its start, its end, and the folder that goes with it. */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'playwright-core'
import { browserFlags } from './flags.ts'
import { createPipe } from './pipe.ts'
import { openProfile } from './profile.ts'
import { type AvailableBrowser, asUser } from './program.ts'

export interface BrowserProcess {
  readonly pid: number
  readonly browser: Browser
  /** False from the moment it is being ended. */
  isOpen(): boolean
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface BrowserStart {
  readonly program: AvailableBrowser
  /** Where the folder of its profile is made. Others must be able to pass through when root starts the browser. */
  readonly folder: string
}

/** Rejects if the browser does not start. The driver is loaded here, with the first browser. */
export async function openBrowser({ program, folder }: BrowserStart): Promise<BrowserProcess> {
  const profile = await openProfile(folder, program.user)
  const flags = browserFlags(profile.path)
  const [command = '', ...args] = asUser(program.user, [program.path, ...flags])
  const child = spawn(command, args, {
    cwd: profile.path,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: profile.path,
      TMPDIR: profile.path,
      XDG_RUNTIME_DIR: profile.path,
      LANG: 'C.UTF-8',
    },
    // A group of its own, so that its children can be ended with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const said = lastWords(child.stderr as Readable)
  let isKilled = false
  const kill = () => {
    isKilled = true
    if (child.pid !== undefined) endGroup(child.pid)
  }
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(async () => {
    kill()
    await profile.remove()
  })
  const pipe = createPipe(
    { toBrowser: child.stdio[3] as Writable, fromBrowser: child.stdio[4] as Readable },
    largestMessage,
    kill,
  )
  try {
    const { chromium } = await import('playwright-core')
    const start = chromium.connectOverCDP(pipe, { timeout: longestStart, artifactsDir: profile.own })
    const browser = await Promise.race([start, ended.then(() => undefined)])
    start.catch(() => undefined)
    if (browser === undefined || child.pid === undefined) throw new Error('it ended at once')
    return {
      pid: child.pid,
      browser,
      isOpen: () => !isKilled && browser.isConnected(),
      ended,
      async close() {
        kill()
        await ended
      },
    }
  } catch (error) {
    kill()
    await ended
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Error(`Chromium did not start: ${reason}. ${said()}`.trim(), { cause: error })
  }
}

const longestStart = 20_000

/** A picture of a page is the largest thing that anybody asks for. */
const largestMessage = 48 * 1024 * 1024

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function lastWords(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-1000)
  })
  stream.on('error', () => undefined)
  return () => text.trim().split('\n').at(-1) ?? ''
}
