/** Owns the cases about the way to the platform: it comes back by itself, says truly how it stands, and ends. */
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { heardOf, sayMany } from './receiving.ts'

export function connection(test: Case): void {
  ways(test)
  ends(test)
}

function ways(test: Case): void {
  test(['send'], 'says who we are there, the same after a restart', async (s) => {
    const { id } = s.account()
    expect(id.length).toBeGreaterThan(0)
    await s.restart()
    expect(s.account().id).toBe(id)
  })

  test(['connection', 'receive'], 'comes back after its connections were cut', async (s) => {
    await s.platform.disconnect()
    await s.gateway.connected()
    await s.until('it to be there again', () => s.gateway.standings.at(-1)?.type === 'connected')
    await s.stillSends()
    await s.stillHears()
  })

  test(['connection', 'keeps'], 'loses nothing of what is said while its connections are cut', async (s) => {
    const words: string[] = []
    for (let index = 0; index < 3; index += 1) {
      words.push(...(await sayMany(s, s.ana, s.chats.ana, 2)))
      await s.platform.disconnect()
      words.push(...(await sayMany(s, s.ana, s.chats.ana, 2)))
    }
    await s.arrival(words.at(-1) ?? '')
    expect(heardOf(s, words)).toEqual(words)
  })

  test(['connection'], 'says that the platform is away, and that it is back', async (s) => {
    await s.away()
    await s.until('it to notice', () => s.gateway.standings.at(-1)?.type === 'disconnected')
    await s.back()
    await s.until('it to come back', () => s.gateway.standings.at(-1)?.type === 'connected')
    await s.stillSends()
  })

  test(['connection', 'receive'], 'hears what was not taken before the platform went away', async (s) => {
    const word = s.word()
    s.gateway.judge((event) => (event.type === 'message' && event.text === word ? 'hold' : 'take'))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.until('it to be handed over', () =>
      s.gateway.handed.some((event) => event.type === 'message' && event.text === word),
    )
    await s.away()
    s.gateway.judge(() => 'take')
    s.gateway.release()
    await s.arrival(word)
    await s.back()
    await s.until('it to come back', () => s.gateway.standings.at(-1)?.type === 'connected')
    await s.stillHears()
    expect(heardOf(s, [word])).toEqual([word])
  })

  test(['connection'], 'goes on trying when the platform is away at the start', async (s) => {
    await s.gateway.stop()
    await s.away()
    s.gateway.start()
    await s.until('it to notice, or to end so that it is started again', () => {
      const last = s.gateway.standings.at(-1)
      expect(last?.type).not.toBe('rejected')
      return last?.type === 'disconnected' || !s.gateway.up
    })
    await s.back()
    if (!s.gateway.up) s.gateway.start()
    await s.until('it to come', () => s.gateway.standings.at(-1)?.type === 'connected')
    await s.stillSends()
  })

  test(['secrets'], 'says that a wrong secret is rejected', async (s) => {
    await s.gateway.stop()
    const changed = Object.entries(s.platform.secrets).map(
      ([name, value]) => [name, `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`] as const,
    )
    s.gateway.start({ secrets: s.platform.wrongSecrets ?? Object.fromEntries(changed) })
    await s.until('it to be rejected', () => s.gateway.standings.some(({ type }) => type === 'rejected'))
    expect(s.gateway.standings.some(({ type }) => type === 'connected')).toBe(false)
    const last = s.gateway.standings.at(-1)
    const told = last?.type === 'rejected' ? last.problem : ''
    expect(told.length).toBeGreaterThan(5)
    for (const secret of Object.values(s.platform.wrongSecrets ?? Object.fromEntries(changed)))
      expect(told).not.toContain(secret)
    expect((await s.gateway.send(s.message(s.chats.ana, s.word()))).kind).toBe('later')
    await s.gateway.stop()
  })
}

/** What keeps a process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

function ends(test: Case): void {
  test([], 'leaves no timer when it ends', async (s) => {
    await s.gateway.stop()
    let before = 0
    await s.until('the platform to be calm', () => {
      const now = timers()
      const isCalm = now === before || now === 0
      before = now
      return isCalm
    })
    s.gateway.start()
    await s.gateway.connected()
    await s.gateway.stop()
    await s.until('its timers to be gone', () => timers() <= before)
  })

  test([], 'ends while the platform is away', async (s) => {
    await s.away()
    await s.gateway.stop()
    expect(s.gateway.up).toBe(false)
  })

  test([], 'ends at once when it was only just started', async (s) => {
    await s.gateway.stop()
    s.gateway.start()
    await s.gateway.stop()
    expect(s.gateway.up).toBe(false)
  })

  test(['keeps'], 'takes nothing more after it ended', async (s) => {
    await s.gateway.stop()
    const before = s.gateway.handed.length
    const words = await sayMany(s, s.ana, s.chats.ana, 2)
    expect(s.gateway.handed.length).toBe(before)
    s.gateway.start()
    await s.arrival(words.at(-1) ?? '')
    expect(heardOf(s, words)).toEqual(words)
  })
}
