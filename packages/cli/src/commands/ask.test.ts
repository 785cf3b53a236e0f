import { stripVTControlCharacters } from 'node:util'
import type { HostIdentity } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { type FakeGateway, fakeGateway, type Incoming } from '../testing/gateway.ts'
import { type TestHome, type TestHost, testHome, testHost } from '../testing/home.ts'

let home: TestHome
let identity: HostIdentity
let gateway: FakeGateway
beforeEach(async () => {
  home = testHome()
  identity = home.establish()
  gateway = await fakeGateway(home.paths, identity)
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

const hostOf = (terminal: boolean): TestHost =>
  testHost({ home, WebSocket: gateway.WebSocket, terminal, values: { NO_COLOR: '1' }, columns: 80 })

const park = ({ session, run: id }: Pick<Incoming, 'session' | 'run'>, ms: number) =>
  gateway.emit({
    type: 'run.parked',
    session,
    run: id,
    on: 'retry',
    retry: {
      at: new Date(Date.now() + ms).toISOString(),
      attempt: 2,
      of: 5,
      because: 'The model provider limits the rate.',
      provider: 'acme',
    },
  })

const resume = ({ session, run: id }: Incoming) => gateway.emit({ type: 'run.resumed', session, run: id })

describe('without a terminal', () => {
  it.each(['0', '201', '2.5', 'many', ''])('refuses --turns “%s” and sends nothing', async (turns) => {
    let sent = 0
    gateway.onMessage = () => {
      sent += 1
    }
    const host = hostOf(false)
    expect(await run(['ask', 'hello', '--turns', turns], host)).toBe(2)
    expect(host.complaints()).toContain('--turns')
    expect(sent).toBe(0)
  })

  it('waits through a retry, and says so on stderr only', async () => {
    gateway.onMessage = (message) => {
      park(message, 42_000)
      setTimeout(() => resume(message), 30)
      setTimeout(() => gateway.reply(message, 'there'), 60)
    }
    const host = hostOf(false)
    expect(await run(['ask', 'hello'], host)).toBe(0)
    expect(host.written()).toBe('there\n')
    expect(host.complaints()).toMatch(
      /^⏳ The model provider limits the rate\. Next try in 0:4[12] \(2 of 5\)\.\n$/,
    )
  })

  it('leaves when --wait is over, and names what it waits for', async () => {
    gateway.onMessage = (message) => park(message, 42_000)
    const host = hostOf(false)
    expect(await run(['ask', 'hello', '--json', '--wait', '200ms'], host)).toBe(7)
    expect(JSON.parse(host.written())).toMatchObject({
      error: {
        type: 'timeout',
        message: expect.stringContaining('model provider'),
        details: { retry: { of: 5 } },
      },
    })
  })
})

describe('in a terminal', () => {
  it('shows a reply once, though two attempts were streamed', async () => {
    gateway.onMessage = (message) => {
      gateway.delta(message, 1, 'Hello wor', { attempt: 1 })
      gateway.delta(message, 1, 'Good ', { attempt: 2 })
      setTimeout(() => gateway.reply(message, 'Good day'), 30)
    }
    const host = hostOf(true)
    expect(await run(['ask', 'hello'], host)).toBe(0)
    expect(host.written().split('Good day\n').length).toBe(2)
    expect(host.written()).not.toContain('Hello wor\nGood')
  })

  it('says what the model is at, and takes it away before the reply', async () => {
    gateway.onMessage = (message) => {
      gateway.delta(message, 1, 'hm', { kind: 'reasoning' })
      gateway.delta(message, 1, '{"path":"a"}', { kind: 'call', tool: 'write_file' })
      setTimeout(() => gateway.delta(message, 1, '{}', { kind: 'call', tool: 'write_file' }), 150)
      setTimeout(() => gateway.reply(message, 'Done'), 250)
    }
    const host = hostOf(true)
    expect(await run(['ask', 'hello'], host)).toBe(0)
    const text = host.written()
    expect(text).toContain('thinking…')
    expect(text).toContain('… writing write_file (14 characters)')
    expect(text.lastIndexOf('writing')).toBeLessThan(text.indexOf('Done'))
  })

  it('counts down each second, and goes on from the same moment after the connection broke', async () => {
    const messages: Incoming[] = []
    gateway.onMessage = (message) => {
      messages.push(message)
      park(message, 42_000)
      setTimeout(() => gateway.drop(), 50)
    }
    const host = hostOf(true)
    const ending = run(['ask', 'hello'], host)
    const seen = () =>
      [...host.written().matchAll(/Next try in 0:(\d\d) \(2 of 5\)/g)].map((found) => Number(found[1]))
    await expect.poll(() => new Set(seen()).size).toBeGreaterThanOrEqual(3)
    const [message] = messages
    if (message) gateway.reply(message, 'there')
    expect(await ending).toBe(0)
    const counts = seen()
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(counts[0]).toBeGreaterThan(40)
    expect(stripVTControlCharacters(host.written())).toContain('there')
  })

  it('stops the run with Ctrl-C while it waits for its next try', async () => {
    gateway.onMessage = (message) => park(message, 42_000)
    const host = hostOf(true)
    const ending = run(['ask', 'hello'], host)
    await expect.poll(() => host.written()).toContain('Next try in')
    host.typed.write('\u0003')
    expect(await ending).toBe(14)
    expect(gateway.changes.some((change) => change.endsWith('/stop'))).toBe(true)
    expect(host.complaints()).toContain('The run was stopped.')
  })

  it('stops nothing with Ctrl-C while the run works', async () => {
    gateway.onMessage = (message) => gateway.delta(message, 1, 'Hel')
    const host = hostOf(true)
    const ending = run(['ask', 'hello'], host)
    await expect.poll(() => host.written()).toContain('Hel')
    host.typed.write('\u0003')
    expect(await ending).toBe(7)
    expect(gateway.changes.some((change) => change.endsWith('/stop'))).toBe(false)
  })
})
