import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Health, Status } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { readSigned, type SignedReadOptions } from './read-signed.ts'
import { fitsShape, healthShape, statusShape } from './reply-shape.ts'

let home: TestHome
let gateway: FakeGateway
beforeEach(async () => {
  home = testHome()
  gateway = await fakeGateway(home.paths, home.establish())
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

const options = (more: Partial<SignedReadOptions> = {}): SignedReadOptions => ({
  paths: home.paths,
  url: undefined,
  platform: process.platform,
  now: () => new Date(),
  ...more,
})

describe('the short way', () => {
  it('reads what the long way reads', async () => {
    const read = await readSigned('/v1/status', options())
    expect(read.kind === 'read' && fitsShape(read.value, statusShape)).toBe(true)
    expect(read.kind === 'read' && Status.safeParse(read.value).success).toBe(true)
  })

  it('says where nobody listens', async () => {
    expect(await readSigned('/v1/status', options({ url: 'http://127.0.0.1:9' }))).toEqual({
      kind: 'nobody',
      url: 'http://127.0.0.1:9',
    })
    await gateway.close()
    expect(await readSigned('/v1/status', options())).toEqual({ kind: 'nobody', url: undefined })
  })

  it('leaves to the long way a key that others can read, and never uses it', async () => {
    chmodSync(home.paths.deviceKey, 0o644)
    expect(await readSigned('/v1/status', options())).toEqual({ kind: 'unusual' })
    expect(await run(['status', '--json'], testHost({ home }))).toBe(10)
  })

  it('leaves to the long way a device that was revoked, an answer that is refused, and another protocol', async () => {
    const trust = JSON.parse(readFileSync(home.paths.trust, 'utf8'))
    trust.devices[0].revokedAt = new Date().toISOString()
    writeFileSync(home.paths.trust, JSON.stringify(trust))
    expect(await readSigned('/v1/status', options())).toEqual({ kind: 'unusual' })
    expect(await run(['status', '--json'], testHost({ home }))).toBe(9)
    trust.devices[0].revokedAt = null
    writeFileSync(home.paths.trust, JSON.stringify(trust))
    expect(await readSigned('/v1/nothing', options())).toEqual({ kind: 'unusual' })
    expect(await readSigned('/v1/status', options({ url: 'https://gateway.example' }))).toEqual({
      kind: 'unusual',
    })
  })

  it('leaves to the long way an answer of another form, which it calls by its name', async () => {
    gateway.status = { more: 1 } as Partial<Status>
    const host = testHost({ home })
    expect(await run(['status', '--json'], host)).toBe(1)
    expect(JSON.parse(host.written()).error.message).toContain('version may differ')
  })

  it('believes nobody who does not prove to be the gateway, neither the short nor the long way', async () => {
    const server = createServer((_request, response) => response.end('{"ok":true}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    try {
      expect(await readSigned('/v1/health', options({ url }))).toEqual({ kind: 'unusual' })
      const host = testHost({ home })
      expect(await run(['status', '--json', '--url', url], host)).toBe(9)
      expect(JSON.parse(host.written()).error.type).toBe('gateway_unproven')
    } finally {
      server.close()
    }
  })
})

describe('the forms of the short way', () => {
  it('have the fields of the contract', () => {
    const named = (form: { readonly fields: object }) => Object.keys(form.fields).toSorted()
    expect(named(statusShape)).toEqual(Object.keys(Status.shape).toSorted())
    expect(named(healthShape)).toEqual(Object.keys(Health.shape).toSorted())
  })

  it('refuse a field that is missing, unknown or of another kind', () => {
    const good = { ok: true, gateway: 'gw', version: '1' }
    expect(fitsShape(good, healthShape)).toBe(true)
    expect(fitsShape({ ok: true, gateway: 'gw' }, healthShape)).toBe(false)
    expect(fitsShape({ ...good, more: 1 }, healthShape)).toBe(false)
    expect(fitsShape({ ...good, ok: 'yes' }, healthShape)).toBe(false)
    expect(fitsShape(null, healthShape)).toBe(false)
  })
})

describe('health', () => {
  it('is an exit code, and words unless it should be quiet', async () => {
    const loud = testHost({ home })
    expect(await run(['health'], loud)).toBe(0)
    expect(loud.written()).toBe('ok  version 0.1.0\n')
    const quiet = testHost({ home })
    expect(await run(['health', '--quiet'], quiet)).toBe(0)
    expect(quiet.written() + quiet.complaints()).toBe('')
    await gateway.close()
    expect(await run(['health', '--quiet'], testHost({ home }))).toBe(8)
  })
})

describe('--verbose', () => {
  it('says on stderr whom it asked and how long it took, and nothing more on stdout', async () => {
    const host = testHost({ home })
    expect(await run(['status', '--json', '-v'], host)).toBe(0)
    expect(JSON.parse(host.written()).ok).toBe(true)
    expect(host.complaints()).toMatch(new RegExp(`^gateway ${gateway.url}\nexit 0 after \\d+ ms\n$`))
  })
})
