/** Another user of the host tries the open ports on loopback for a proxy that leads to what the operator opened. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import {
  openTestBrowsers,
  openTestSite,
} from '../../../../../../packages/executor/src/browser/testing/test-site.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'proxy-used-by-another-user',
  promise: "Nobody but the browser gets anything out of the browser's proxy.",
  mutant: 'proxy-without-password',
  async run(stage) {
    let answers: string[] = []
    // The call lasts until the stranger has tried, so the proxy is open meanwhile.
    const site = await openTestSite((request, response) => {
      if (request.url !== '/hold') response.end('<title>Intranet</title>')
      else
        void strangerAt(site.port).then((found) => {
          answers = found
          response.end('held')
        })
    })
    const { pool, act } = openTestBrowsers([site.port])
    stage.afterwards(() => site.close())
    stage.afterwards(() => pool.close())
    const url = `${site.origin}/`
    await act({ action: 'navigate', url })
    const code = "await fetch('/hold').then((answer) => answer.text())"
    const held = await act({ action: 'evaluate', url, code })
    return {
      open: site.seen.some(({ headers }) => headers['x-stranger'] !== undefined),
      control: held.kind === 'seen' && held.text === 'held' && answers.includes('407'),
      saw: `the stranger was answered ${[...new Set(answers)].join(', ') || 'by nobody'}`,
    }
  },
}

/** The statuses that a user without rights gets from all that listens on loopback, asked as a proxy for the site. */
function strangerAt(site: number): Promise<string[]> {
  const ports = [...new Set(listening())].filter((port) => port !== site)
  const program = `
    const { connect } = require('node:net')
    const ask = (port) => new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(
        'GET http://127.0.0.1:${site}/inside HTTP/1.1\\r\\nHost: 127.0.0.1:${site}\\r\\nX-Stranger: 1\\r\\nConnection: close\\r\\n\\r\\n'))
      const end = (status) => { socket.destroy(); resolve(status) }
      socket.setTimeout(2000, () => end('nothing'))
      socket.on('error', () => end('nothing'))
      socket.once('data', (data) => end(String(data).split(' ')[1] ?? 'nothing'))
    })
    Promise.all(${JSON.stringify(ports)}.map(ask)).then((all) => console.log(all.join(' ')))`
  const node = [process.execPath, '-e', program]
  const [file = '', ...args] =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node] : node
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: '/', env: { PATH: '/usr/bin:/bin' } }, (error, stdout) => {
      if (error) reject(error)
      else resolve(stdout.trim().split(' '))
    })
  })
}

/** Every user of the host can read which ports are open. Those of other programs are left alone here. */
function listening(): number[] {
  const mine = new Set(
    readdirSync('/proc/self/fd').map((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${name}`))?.[1]
      } catch {
        // It was closed meanwhile.
        return undefined
      }
    }),
  )
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && mine.has(inode))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16))
}
