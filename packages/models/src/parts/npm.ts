/** Runs npm, with scripts of packages switched off. Refuses to guess: where there is no npm, it says so. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Npm {
  /** Never rejects. */
  run(args: readonly string[], options: NpmOptions): Promise<NpmEnd>
}

export interface NpmOptions {
  readonly cwd: string
  readonly signal: AbortSignal
}

export type NpmEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly message: string }

export interface NpmSettings {
  /** Instead of the one that npm is configured for. */
  readonly registry?: string
  /** What npm may see of the environment; nothing where nothing is said. */
  readonly environment?: Readonly<Record<string, string>>
  /** Node's own program. */
  readonly node: string
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
const longestQuote = 400

export function findNpm({ registry, environment = {}, node }: NpmSettings): Npm {
  const beside = cliBeside(node)
  const isWindows = process.platform === 'win32'
  return {
    run: (args, { cwd, signal }) =>
      new Promise((resolve) => {
        const all = [...args, ...quiet, ...(registry === undefined ? [] : ['--registry', registry])]
        const child = spawn(beside ? node : 'npm', beside ? [beside, ...all] : all, {
          cwd,
          signal,
          stdio: ['ignore', 'ignore', 'pipe'],
          // Elsewhere than on Windows npm is a program; there it is a script of the shell. No argument is a stranger's.
          shell: !beside && isWindows,
          env: environment,
        })
        let words = ''
        child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
          words = (words + piece).slice(-4_000)
        })
        child.once('error', (error: NodeJS.ErrnoException) => {
          if (signal.aborted) return
          const isMissing = error.code === 'ENOENT'
          resolve(
            failed(
              isMissing ? 'npm was not found. Install Node.js with npm, then try again.' : error.message,
            ),
          )
        })
        // Only after its end nothing is written any more.
        child.once('close', (code) => {
          if (signal.aborted) resolve(failed('Cancelled.'))
          else resolve(code === 0 ? { kind: 'done' } : failed(`npm failed: ${lastWords(words, code)}`))
        })
      }),
  }
}

/** npm comes with Node as a file, in one of two places. */
function cliBeside(node: string): string | undefined {
  const folder = dirname(node)
  return [join(folder, 'node_modules'), join(folder, '..', 'lib', 'node_modules')]
    .map((modules) => join(modules, 'npm', 'bin', 'npm-cli.js'))
    .find((file) => existsSync(file))
}

function lastWords(words: string, code: number | null): string {
  const lines = words
    .split('\n')
    .map((line) => line.replace(/^npm (error|warn)\s*/i, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log') && !line.startsWith('Unknown '))
  return lines.length === 0 ? `it ended with ${code}.` : lines.join(' ').slice(0, longestQuote)
}

function failed(message: string): NpmEnd {
  return { kind: 'failed', message }
}
