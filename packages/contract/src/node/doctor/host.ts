/** Looks at the machine itself: its runtime, its disk, its clock and its sandbox. */
import { execFile } from 'node:child_process'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HomePaths } from '../home.ts'
import { fitsNode, neededNode } from '../node-version.ts'
import { bad, type DoctorFinding, ok, warning } from './finding.ts'

export function nodeVersion(version: string): DoctorFinding {
  return fitsNode(version)
    ? ok('node', `version ${version}`)
    : bad('node', `version ${version}`, `Install ${neededNode}.`)
}

export function diskSpace(paths: HomePaths): DoctorFinding {
  const { bavail, bsize } = statfsSync(nearestFolder(paths.data))
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free at ${paths.data}`
  if (free < 200 * 2 ** 20)
    return bad('disk', text, 'Free some disk space. Without it nothing can be recorded, so nothing runs.')
  return free < 2 ** 30 ? warning('disk', text, 'Free some disk space soon.') : ok('disk', text)
}

/** A clock that runs behind what was already written would make fresh decisions look old. */
export function clock(paths: HomePaths, now: Date): DoctorFinding {
  const written = [paths.trust, paths.deviceKey]
    .filter((path) => existsSync(path))
    .map((path) => statSync(path).mtimeMs)
  const latest = Math.max(0, ...written)
  if (latest > now.getTime() + 60_000) {
    return bad(
      'clock',
      `it is ${now.toISOString()} here, yet files were written at ${new Date(latest).toISOString()}`,
      'Correct the clock of this computer.',
    )
  }
  return ok('clock', now.toISOString())
}

/** The folders are those in which programs are looked for. */
export async function sandbox(host: {
  readonly platform: NodeJS.Platform
  readonly programFolders: readonly string[]
}): Promise<DoctorFinding> {
  if (host.platform !== 'linux')
    return warning(
      'sandbox',
      `${host.platform} has none yet`,
      'Tools that need a sandbox are unavailable here.',
    )
  const found = host.programFolders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path))
  if (found === undefined)
    return bad(
      'sandbox',
      'bwrap is not in PATH',
      'Install bubblewrap, for example `sudo apt install bubblewrap`.',
    )
  const problem = await refusal(found)
  return problem === undefined
    ? ok('sandbox', found)
    : bad(
        'sandbox',
        `${found} does not work: ${problem}`,
        'Allow unprivileged user namespaces for bubblewrap.',
      )
}

function refusal(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      ['--unshare-all', '--ro-bind', '/', '/', 'true'],
      { timeout: 3_000 },
      (error, _output, errors) => {
        resolve(error === null ? undefined : errors.trim() || error.message)
      },
    )
  })
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
