/** Whoever breaks out of a page's renderer owns the files of the database, because both run as the same user. */
import { readdirSync, readFileSync } from 'node:fs'
import { openBrowser } from '../../../../../../packages/executor/src/browser/process.ts'
import { probeBrowser } from '../../../../../../packages/executor/src/browser/program.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'services-share-a-user',
  promise:
    'Under root the database, the browser and the executor are three users, and the browser has its sandbox.',
  mutant: 'one-user-for-services',
  async run(stage) {
    const scene = await stage.scene()
    const program = await probeBrowser()
    if (program.kind === 'unavailable') throw new Error(program.reason)
    const browser = await openBrowser({ program, folder: '/tmp' })
    stage.afterwards(() => browser.close())
    const { home } = scene.installation
    const users = {
      database: statusOf(scene.installation.databasePid() ?? 0).uid,
      executor: userOf((line) => line.includes('/executor/src/main.ts') && line.includes(home)),
      browser: statusOf(browser.pid).uid,
    }
    const ids = Object.values(users)
    const isRoot = process.getuid?.() === 0
    const sandboxed = !readFileSync(`/proc/${browser.pid}/cmdline`, 'utf8').includes('--no-sandbox')
    return {
      open: (isRoot && new Set(ids).size < ids.length) || !sandboxed,
      control: ids.every((id) => id !== undefined) && browser.isOpen(),
      saw: `database ${users.database}, executor ${users.executor}, browser ${users.browser}`,
    }
  },
}

/** The user of the first process whose command line is that one. */
function userOf(isIt: (line: string) => boolean): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const { uid, line } = statusOf(Number(name))
    if (uid !== undefined && isIt(line)) return uid
  }
  return undefined
}

function statusOf(pid: number): { uid: number | undefined; line: string } {
  try {
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { uid: uid === undefined ? undefined : Number(uid), line }
  } catch {
    // It ended between two looks.
    return { uid: undefined, line: '' }
  }
}
