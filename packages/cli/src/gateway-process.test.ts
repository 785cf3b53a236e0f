import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gatewayLog, gatewayProgram, lastLines, startDetached } from './gateway-process.ts'
import { run } from './program.ts'
import { type TestHome, testHome, testHost } from './testing/home.ts'

let home: TestHome
const children: ChildProcess[] = []
beforeEach(() => {
  home = testHome()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  home.remove()
})

it('finds the gateway beside the bundled command, and else in the repository', () => {
  const bundled = join(home.folder, 'gateway.js')
  writeFileSync(bundled, '')
  expect(gatewayProgram(pathToFileURL(join(home.folder, 'countersign.js')).href)).toBe(bundled)
  expect(gatewayProgram()).toMatch(/gateway[\\/]src[\\/]main\.ts$/)
  expect(() => gatewayProgram(pathToFileURL(join(home.folder, 'a', 'b', 'c.js')).href)).toThrow(
    /not found in any of these places/,
  )
})

it('starts a program with its arguments and its log, private to the operator', async () => {
  const program = join(home.folder, 'program.mjs')
  writeFileSync(program, "console.log('begun', ...process.argv.slice(2)); process.exitCode = 3")
  const log = gatewayLog(home.paths.logs)
  const { ended } = await startDetached(program, ['--port', '0'], log)
  expect(await ended).toBe('with code 3')
  expect(lastLines(log, 20)).toEqual(['begun --port 0'])
  expect(statSync(log).mode & 0o077).toBe(0)
})

it('tells the end of the log and the next step when the gateway ends at once', async () => {
  mkdirSync(dirname(home.paths.config), { recursive: true })
  writeFileSync(home.paths.config, '{ "port": "many" }')
  const main = join(import.meta.dirname, 'main.ts')
  const env = { PATH: '/usr/bin:/bin', COUNTERSIGN_HOME: home.folder }
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [main, 'up', '--json'], { env }, (error, stdout) =>
      resolve({ code: error?.code, output: stdout }),
    )
  })
  expect(code).toBe(1)
  const { error } = JSON.parse(output)
  expect(error.message).toMatch(/stopped with code 1 before it was ready/)
  expect(error.details.tail.join('\n')).toContain('config.json')
  expect(error.next).toContain('countersign up')
})

function leaseFor(source: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  home.establish()
  mkdirSync(home.paths.lease, { recursive: true })
  return new Promise((resolve) => {
    child.stdout?.once('data', () => {
      const lease = {
        pid: child.pid ?? 0,
        url: 'http://127.0.0.1:9',
        startedAt: new Date().toISOString(),
        version: '1',
      }
      writeFileSync(join(home.paths.lease, `${child.pid}.json`), home.leaseText(lease))
      resolve(child)
    })
  })
}

it('stops a gateway and waits for its end', async () => {
  const child = await leaseFor("console.log('up'); setInterval(() => {}, 1000)")
  const host = testHost({ home })
  expect(await run(['down', '--json'], host)).toBe(0)
  expect(JSON.parse(host.written())).toEqual({ ok: true, stopped: [child.pid] })
})

it('waits for a gateway whose database takes half a minute to write everything down', async () => {
  const child = await leaseFor(
    "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
  )
  const began = Date.now()
  let passed = 0
  const host = {
    ...testHost({ home, clock: () => new Date(began + passed) }),
    async wait(ms: number) {
      passed += ms
      if (passed > 31_000 && child.kill('SIGKILL')) await once(child, 'exit')
    },
  }
  expect(await run(['down', '--json'], host)).toBe(0)
  expect(JSON.parse(host.written())).toEqual({ ok: true, stopped: [child.pid] })
})

it('never ends a gateway by force, but says how', async () => {
  const child = await leaseFor(
    "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
  )
  const host = testHost({ home })
  expect(await run(['down', '--json', '--wait', '300ms'], host)).toBe(7)
  expect(JSON.parse(host.written()).error.next).toContain(`kill -9 ${child.pid}`)
  expect(child.exitCode).toBeNull()
})
