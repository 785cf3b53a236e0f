/**
 * Owns the programs that stand in for ours, as if a file had taken it over. Each tries to get out or to take more than
 * it may, and says so where it succeeds.
 */
import type { Lures } from './hostile-file.ts'

/** Found in what came back, it means that something was reached. */
export const reachedMark = 'REACHED-BY-A-TAKEN-PROGRAM'

export function takenPrograms({ port, canary }: Lures): Readonly<Record<string, string>> {
  const fs = "const fs = process.getBuiltinModule('node:fs')\n"
  const said = (what: string) => `fs.writeSync(1, JSON.stringify({ kind: 'failed', reason: ${what} }))\n`
  const reads = (path: string) =>
    `${fs}let got = ''\ntry { got = String(fs.readdirSync(${JSON.stringify(path)})) } catch {}\ntry { got += fs.readFileSync(${JSON.stringify(path)}, 'utf8') } catch {}\n${said("got === '' ? 'nothing' : '" + reachedMark + " ' + got.slice(0, 200)")}`
  const answers = (facts: string) =>
    `${fs}const bytes = Buffer.from('{"kind":"done","facts":{"pages":1,"more":' + ${facts} + '}}\\n')\nfor (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(1, bytes, sent)\n`
  return {
    'reads the workspace': reads('/workspace'),
    'reads the canary': reads(canary),
    'reads home folders': reads('/root'),
    'reads the state of others': reads('/var'),
    'writes beside itself': `${fs}for (const path of ['/opt/documents/program/planted', '/opt/documents/planted', '/usr/bin/planted', '/etc/planted', '${canary}', '/workspace/planted']) try { fs.writeFileSync(path, 'x') } catch {}\n${said("'tried'")}`,
    'calls a listener': `${fs}const net = process.getBuiltinModule('node:net')\nawait Promise.all(['127.0.0.1', '::1', '0.0.0.0'].map((host) => new Promise((done) => net.connect(${port}, host).on('error', done).on('connect', done))))\n${said("'tried'")}`,
    'speaks without end': `${fs}const line = Buffer.alloc(1_000_000, 65)\nfor (let at = 0; at < 90; at += 1) fs.writeSync(1, line)\n`,
    'takes all memory': `${fs}const held = []\nfor (let at = 0; at < 64; at += 1) held.push(Buffer.alloc(100_000_000, 1))\n${said(`'${reachedMark} ' + held.length`)}`,
    multiplies: `${fs}const { spawn } = process.getBuiltinModule('node:child_process')\nlet begun = 0\nfor (let at = 0; at < 200; at += 1) spawn('/bin/sleep', ['60']).on('spawn', () => { begun += 1 }).on('error', () => {})\nawait new Promise((done) => setTimeout(done, 1_500))\n${said(`begun > 40 ? '${reachedMark} ' + begun : 'few'`)}process.exit()\n`,
    'fills the disk': `${fs}let wrote = 0\ntry { for (; wrote < 2_000; wrote += 1) fs.appendFileSync('/tmp/full', Buffer.alloc(1_000_000)) } catch {}\n${said(`wrote > 100 ? '${reachedMark} ' + wrote : 'little'`)}`,
    'answers nonsense': `${fs}fs.writeSync(1, JSON.stringify({ kind: 'done', facts: { pages: -1, __proto__: { read: [] } } }) + '\\n???\\n')\n`,
    'answers a form that nobody expects': `${fs}fs.writeSync(1, JSON.stringify({ kind: 'done', facts: 7 }) + '\\n')\n`,
    'answers too deep to be read': answers("'['.repeat(20_000) + ']'.repeat(20_000)"),
    'answers in a million parts': answers("'[' + '{\"\":{}},'.repeat(1_000_000) + '{}]'"),
    'says nothing': '',
    'kills itself': "process.kill(process.pid, 'SIGKILL')\n",
  }
}
