import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigFile, settingRows } from '@countersign/contract/settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { valueAt } from './config-file.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

async function config(...words: string[]) {
  const host = testHost({ home })
  const exit = await run(['config', ...words], host)
  return { exit, text: host.written(), complaints: host.complaints() }
}

function write(text: string): void {
  mkdirSync(dirname(home.paths.config), { recursive: true })
  writeFileSync(home.paths.config, text)
}

const written = () => JSON.parse(readFileSync(home.paths.config, 'utf8')) as unknown

describe('config', () => {
  it('shows every setting with its value and where it comes from', async () => {
    write('{"port": 7400}')
    const { exit, text } = await config()
    expect(exit).toBe(0)
    expect(text).toMatch(/^port +7400 +file$/m)
    expect(text).toMatch(/^sandbox +bubblewrap +default$/m)
    expect(text).toContain(home.paths.config)
  })

  it('knows every setting that the gateway reads', () => {
    const leaves = Object.keys(ConfigFile.shape).filter(
      (key) => !settingRows.some(({ name }) => name === key || name.startsWith(`${key}.`)),
    )
    expect(leaves).toEqual([])
    const defaults = ConfigFile.parse({})
    for (const { name } of settingRows)
      if (!/^(?:port|timeZone|vaultKey|model\.|telemetry\.traces)/.test(name))
        expect(valueAt(defaults, name), name).toBeDefined()
  })

  it('sets, reads and unsets, and keeps what else stands in the file', async () => {
    write('{"retention": {"events": 40}, "timeZone": "UTC"}')
    const set = await config('set', 'retention.details', '60')
    expect(set.text).toContain('`retention.details` is now 60.')
    expect(set.text).toContain('The next start of the gateway uses it.')
    expect(written()).toEqual({ retention: { events: 40, details: 60 }, timeZone: 'UTC' })
    expect((await config('get', 'retention.details')).text).toBe('60\n')
    await config('unset', 'retention.events')
    expect(written()).toEqual({ retention: { details: 60 }, timeZone: 'UTC' })
    expect((await config('get', 'retention.events')).text).toBe('30\n')
  })

  it('sets what only holds together in one go', async () => {
    expect((await config('set', 'model.provider', 'anthropic')).exit).toBe(10)
    expect(existsSync(home.paths.config)).toBe(false)
    expect((await config('set', 'model.provider', 'anthropic', 'model.model', '5')).exit).toBe(0)
    expect(written()).toEqual({ model: { provider: 'anthropic', model: '5' } })
  })

  it('answers a wrong name with the nearest right one', async () => {
    const { exit, complaints } = await config('set', 'prot', '80')
    expect(exit).toBe(2)
    expect(complaints).toContain('`prot` is not a setting. Did you mean `port`?')
    expect((await config('get', 'retention')).complaints).toContain('retention.events, retention.details')
  })

  it.each([
    ['port', '99999', '`port`'],
    ['timeZone', 'Nowhere/Land', 'a time zone, such as Europe/Vienna'],
    ['telemetry.metrics', 'perhaps', '`telemetry.metrics`'],
  ])('refuses %s %s and changes nothing', async (name, value, words) => {
    const { exit, complaints } = await config('set', name, value)
    expect(exit).toBe(10)
    expect(complaints.toLowerCase()).toContain(words.toLowerCase())
    expect(complaints).not.toContain('✖')
    expect(existsSync(home.paths.config)).toBe(false)
  })

  it.each([
    ['autonomy', 'full', 'policy level'],
    ['autonomy', 'none', 'policy level'],
    ['tools.enable', 'git', 'tool enable'],
    ['passkeyTools', 'execute_shell', 'policy edit'],
    ['localTargets', '[{"host":"127.0.0.1","port":80}]', 'Edit the file'],
    ['memory.automatic', 'on', 'Edit the file'],
    ['rates.all', '61', 'Edit the file'],
    ['rates.tools', '{"execute_shell":6}', 'Edit the file'],
  ])('lets the assistant do nothing more: %s %s', async (name, value, next) => {
    const { exit, complaints } = await config('set', name, value)
    expect(exit).toBe(2)
    expect(complaints).toContain(next)
    expect(existsSync(home.paths.config)).toBe(false)
  })

  it('unsetting cannot loosen either', async () => {
    write('{"sandbox": "podman", "memory": {"automatic": "off"}}')
    expect((await config('unset', 'sandbox')).exit).toBe(2)
    expect((await config('unset', 'memory.automatic')).exit).toBe(2)
    expect(written()).toEqual({ sandbox: 'podman', memory: { automatic: 'off' } })
  })

  it('takes away what the assistant may reach', async () => {
    write('{"localTargets": [{"host": "127.0.0.1", "port": 80}], "sandbox": "bubblewrap"}')
    expect((await config('set', 'localTargets', '[]')).exit).toBe(0)
    expect((await config('set', 'sandbox', 'podman')).exit).toBe(0)
    expect((await config('set', 'rates.all', '30')).exit).toBe(0)
    expect(written()).toEqual({ localTargets: [], sandbox: 'podman', rates: { all: 30 } })
  })

  it('checks the file as the gateway does', async () => {
    expect((await config('check')).text).toContain('is right')
    write('{"prot": 1, "retention": {"event": 5}, "port": -1}')
    const { exit, complaints } = await config('check')
    expect(exit).toBe(10)
    expect(complaints).toContain('`prot` is not a setting. Did you mean `port`?')
    expect(complaints).toContain('`retention.event` is not a setting. Did you mean `retention.events`?')
    expect(complaints).toContain('`port`: ')
    write('[1]')
    expect((await config('check')).complaints).toContain('is not a JSON object')
  })

  it('prints the path alone', async () => {
    expect((await config('path')).text).toBe(`${home.paths.config}\n`)
  })
})
