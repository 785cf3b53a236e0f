/**
 * Owns which program the browser is and as whom it runs. Root never runs it: Chromium's own sandbox needs a user
 * without rights, so root hands it to one that owns nothing else. Refuses a host where Chromium has no sandbox.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { serviceAccount } from '@countersign/contract/node'

export type BrowserProbe = AvailableBrowser | UnavailableBrowser

export interface AvailableBrowser {
  readonly kind: 'available'
  readonly path: string
  readonly version: string
  /** Whom it runs as; null for the user that the executor runs as. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

export interface UnavailableBrowser {
  readonly kind: 'unavailable'
  readonly reason: string
  readonly fix: string
}

const usualBrowsers: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export async function probeBrowser(paths: readonly string[] = usualBrowsers): Promise<BrowserProbe> {
  const path = paths.find(isProgram)
  if (path === undefined) return unavailable('Chromium is not installed.', 'apt-get install chromium')
  const user = process.getuid?.() === 0 ? serviceAccount('browser', path) : null
  const version = await answerOf(asUser(user, [path, '--version']))
  if (version === undefined)
    return unavailable(`${path} does not start${user ? ' as another user' : ''}.`, 'apt-get install chromium')
  if (!(await hasSandbox(user)))
    return unavailable(
      'Chromium has no sandbox here: user namespaces are closed.',
      user === null
        ? 'apt-get install chromium-sandbox'
        : 'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, AppArmor, the container).',
    )
  return {
    kind: 'available',
    path,
    version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version.trim(),
    user,
  }
}

/** The command as that user, who can gain no rights from any program it starts. */
export function asUser(user: AvailableBrowser['user'], command: readonly string[]): readonly string[] {
  if (user === null) return command
  return [
    '/usr/bin/setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
    ...command,
  ]
}

async function hasSandbox(user: AvailableBrowser['user']): Promise<boolean> {
  if (process.platform !== 'linux') return true
  if (user === null && isSetuid('/usr/lib/chromium/chrome-sandbox')) return true
  const trial = ['/usr/bin/unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '/bin/true']
  return (await answerOf(asUser(user, trial))) !== undefined
}

function answerOf([program = '', ...args]: readonly string[]): Promise<string | undefined> {
  const options = { timeout: 10_000, env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' }, cwd: '/' }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error === null ? stdout : undefined))
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isSetuid(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return (
    stat !== undefined &&
    stat.uid === 0 &&
    (stat.mode & constants.S_IFREG) !== 0 &&
    (stat.mode & 0o4000) !== 0
  )
}

function unavailable(reason: string, fix: string): UnavailableBrowser {
  return { kind: 'unavailable', reason, fix }
}
