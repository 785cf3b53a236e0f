/** Owns the cases about what we say of a message that met trouble: `later` and `refused` only where it surely was not sent. */
import type { SendResult } from '../../frame/protocol.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import type { Scene } from './scene.ts'

export function sendingTrouble(test: Case): void {
  answers(test)
  losses(test)
  once(test)
}

const shownWith = (s: Scene, word: string): number =>
  s.platform.shown(s.chats.ana).filter(({ text }) => text.includes(word)).length

/** What is lost may take the connection with it; the next one goes when it is there again. */
async function calmly(s: Scene): Promise<void> {
  await s.stillSends()
}

function answers(test: Case): void {
  test(['slow-down', 'send'], 'says how long the platform wants to be left alone', async (s) => {
    const word = s.word()
    const message = s.message(s.chats.ana, word)
    s.platform.fail?.({ kind: 'slow-down', afterMs: 2_000 })
    const result = await s.gateway.send(message)
    expect(result.kind).toBe('later')
    const { afterMs } = result as Extract<SendResult, { kind: 'later' }>
    expect(afterMs).toBeGreaterThanOrEqual(1_000)
    expect(afterMs).toBeLessThanOrEqual(10_000)
    expect(shownWith(s, word)).toBe(0)
    expect((await s.sendsSoon(message)).kind).toBe('sent')
    await calmly(s)
    expect(shownWith(s, word)).toBe(1)
  })

  test(['refused', 'send'], 'says that the platform refused it, and sends the next', async (s) => {
    const word = s.word()
    s.platform.fail?.({ kind: 'refused' })
    expect((await s.gateway.send(s.message(s.chats.ana, word))).kind).toBe('refused')
    await calmly(s)
    expect(shownWith(s, word)).toBe(0)
  })

  test(['refused', 'edit', 'send'], 'says that the platform refused a change', async (s) => {
    const { message } = await s.sends(s.chats.ana, s.word())
    s.platform.fail?.({ kind: 'refused' })
    const result = await s.gateway.edit(message, s.message(s.chats.ana, s.word()))
    // Where the fault meets only new messages, the change is made.
    expect(result.kind).toMatch(/^(refused|sent)$/)
    if (result.kind === 'sent') await s.gateway.send(s.message(s.chats.ana, s.word()))
    await calmly(s)
  })
}

function losses(test: Case): void {
  test(['lost-before', 'send'], 'never says sent of what was lost on the way', async (s) => {
    const word = s.word()
    s.platform.fail?.({ kind: 'lost-before' })
    const result = await s.gateway.send(s.message(s.chats.ana, word))
    expect(result.kind).toMatch(/^(later|unknown)$/)
    await calmly(s)
    expect(shownWith(s, word)).toBe(0)
  })

  test(['lost-before', 'send'], 'sends what was lost on the way when it is asked again', async (s) => {
    const word = s.word()
    const message = s.message(s.chats.ana, word)
    s.platform.fail?.({ kind: 'lost-before' })
    await s.gateway.send(message)
    expect((await s.sendsSoon(message)).kind).toBe('sent')
    await calmly(s)
    expect(shownWith(s, word)).toBe(1)
  })

  test(['lost-after', 'send'], 'never says that it was not sent when only the answer was lost', async (s) => {
    const word = s.word()
    s.platform.fail?.({ kind: 'lost-after' })
    const result = await s.gateway.send(s.message(s.chats.ana, word))
    expect(result.kind).toMatch(s.manifest.sendsOnce ? /^(sent|unknown|later)$/ : /^(sent|unknown)$/)
    await calmly(s)
    expect(shownWith(s, word)).toBe(1)
  })

  test(
    ['connection', 'send'],
    'says later or unknown while the platform is away, and sends when it is back',
    async (s) => {
      const word = s.word()
      const message = s.message(s.chats.ana, word)
      await s.away()
      expect((await s.gateway.send(message)).kind).toMatch(/^(later|unknown)$/)
      expect((await s.gateway.send(message)).kind).toMatch(/^(later|unknown)$/)
      await s.back()
      await s.gateway.connected()
      expect((await s.sendsSoon(message)).kind).toBe('sent')
      await calmly(s)
      expect(shownWith(s, word)).toBe(1)
    },
  )
}

function once(test: Case): void {
  test(['once', 'send'], 'delivers what is sent twice under one key once', async (s) => {
    const word = s.word()
    const message = s.message(s.chats.ana, word)
    expect((await s.gateway.send(message)).kind).toBe('sent')
    expect((await s.gateway.send(message)).kind).toBe('sent')
    await calmly(s)
    expect(shownWith(s, word)).toBe(1)
  })

  test(['once', 'send'], 'delivers what is sent again after a restart once', async (s) => {
    const word = s.word()
    const message = s.message(s.chats.ana, word)
    expect((await s.gateway.send(message)).kind).toBe('sent')
    await s.restart()
    expect((await s.sendsSoon(message)).kind).toBe('sent')
    await calmly(s)
    expect(shownWith(s, word)).toBe(1)
  })

  test(
    ['once', 'lost-after', 'send'],
    'delivers once what is sent again after its answer was lost',
    async (s) => {
      const word = s.word()
      const message = s.message(s.chats.ana, word)
      s.platform.fail?.({ kind: 'lost-after' })
      await s.gateway.send(message)
      expect((await s.sendsSoon(message)).kind).toBe('sent')
      await calmly(s)
      expect(shownWith(s, word)).toBe(1)
    },
  )
}
