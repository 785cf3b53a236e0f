/** Owns the cases about when a message counts as taken: nothing is lost, whoever dies when. */
import type { InboundEvent } from '../../frame/events.ts'
import type { Verdict } from '../test-gateway.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { heardOf, sayMany } from './receiving.ts'
import type { Scene } from './scene.ts'

export function taking(test: Case): void {
  refusing(test)
  restarting(test)
}

const says = (word: string) => (event: InboundEvent) => event.type === 'message' && event.text === word

const handed = (s: Scene, word: string): number => s.gateway.handed.filter(says(word)).length

/** This one so, and the others are taken. */
const judgedSo = (word: string, verdict: () => Verdict) => (event: InboundEvent) =>
  says(word)(event) ? verdict() : ('take' as const)

function refusing(test: Case): void {
  test(['receive'], 'hands over again what was not taken', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => (handed(s, word) > 2 ? 'take' : 'refuse')))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.arrival(word)
    const tries = s.gateway.handed.filter(says(word))
    expect(tries.length).toBeGreaterThanOrEqual(3)
    for (const again of tries) expect(again).toEqual(tries[0])
  })

  test(['receive'], 'keeps the order of a chat whose first message was not taken', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => (handed(s, word) > 2 ? 'take' : 'refuse')))
    await s.platform.says(s.ana, s.chats.ana, word)
    const rest = await sayMany(s, s.ana, s.chats.ana, 3)
    await s.arrival(rest.at(-1) ?? '')
    expect(heardOf(s, [word, ...rest])).toEqual([word, ...rest])
  })

  test(['receive'], 'hears another chat while a message of this one is refused', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => 'refuse'))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.until('the message to be handed over', () => handed(s, word) > 0)
    await s.stillHears(s.chats.ben, s.ben)
    s.gateway.judge(() => 'take')
    await s.arrival(word)
  })

  test(['receive', 'send'], 'sends while a message waits to be taken', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => 'hold'))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.until('the message to be handed over', () => handed(s, word) > 0)
    await s.stillSends()
    s.gateway.judge(() => 'take')
    s.gateway.release()
    await s.arrival(word)
  })

  test(['receive'], 'loses nothing of many when every third is refused at first', async (s) => {
    let count = 0
    s.gateway.judge(() => {
      count += 1
      return count % 3 === 0 && count < 40 ? 'refuse' : 'take'
    })
    const [ana, ben] = await Promise.all([
      sayMany(s, s.ana, s.chats.ana, 15),
      sayMany(s, s.ben, s.chats.ben, 15),
    ])
    for (const word of [...ana, ...ben]) await s.arrival(word)
    expect(heardOf(s, ana)).toEqual(ana)
    expect(heardOf(s, ben)).toEqual(ben)
  })
}

function restarting(test: Case): void {
  test(['keeps'], 'hands over after a restart what the gateway never took', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => 'hold'))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.until('the message to be handed over', () => handed(s, word) > 0)
    await s.gateway.die()
    s.gateway.judge(() => 'take')
    s.gateway.start()
    await s.arrival(word)
    expect(new Set(s.gateway.handed.filter(says(word)).map(({ id }) => id)).size).toBe(1)
  })

  test(['keeps'], 'hands over after an orderly end what the gateway never took', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => 'hold'))
    await s.platform.says(s.ana, s.chats.ana, word)
    await s.until('the message to be handed over', () => handed(s, word) > 0)
    await s.gateway.stop()
    s.gateway.judge(() => 'take')
    s.gateway.start()
    await s.arrival(word)
  })

  test(['keeps'], 'keeps what was refused, and what came behind it, over a restart', async (s) => {
    const word = s.word()
    s.gateway.judge(judgedSo(word, () => 'refuse'))
    await s.platform.says(s.ana, s.chats.ana, word)
    const rest = await sayMany(s, s.ben, s.chats.ben, 3)
    await s.until('the message to be handed over', () => handed(s, word) > 0)
    for (const one of rest) await s.arrival(one)
    await s.gateway.die()
    s.gateway.judge(() => 'take')
    s.gateway.start()
    await s.arrival(word)
    await s.gateway.connected()
    await s.stillHears(s.chats.ben, s.ben)
    expect(heardOf(s, rest)).toEqual(rest)
  })

  for (const verdict of ['hold', 'refuse'] as const)
    test(
      ['keeps'],
      `keeps over a restart what it met with ${verdict}, whatever was taken after it`,
      async (s) => {
        const word = s.word()
        s.gateway.judge(judgedSo(word, () => verdict))
        await s.platform.says(s.ana, s.chats.ana, word)
        await s.until('the message to be handed over', () => handed(s, word) > 0)
        // One after the other, so that the platform hears of each by itself.
        for (let count = 0; count < 3; count += 1) await s.stillHears(s.chats.ben, s.ben)
        await s.gateway.die()
        s.gateway.judge(() => 'take')
        s.gateway.start()
        await s.arrival(word)
        await s.stillHears(s.chats.ben, s.ben)
      },
    )

  test(
    ['receive'],
    'gives the same id after a restart to what was taken and never acknowledged',
    async (s) => {
      const word = s.word()
      s.gateway.judge(judgedSo(word, () => 'take-silently'))
      await s.platform.says(s.ana, s.chats.ana, word)
      await s.arrival(word)
      await s.gateway.die()
      s.gateway.judge(() => 'take')
      s.gateway.start()
      await s.gateway.connected()
      await s.stillHears()
      expect(heardOf(s, [word])).toEqual([word])
    },
  )

  test(['keeps'], 'hands over what came while the gateway was away', async (s) => {
    let words: string[] = []
    await s.restart(async () => {
      words = await sayMany(s, s.ana, s.chats.ana, 10)
    })
    await s.arrival(words.at(-1) ?? '')
    expect(heardOf(s, words)).toEqual(words)
  })

  test(['keeps'], 'loses nothing of what came before, during and after a restart', async (s) => {
    const before = await sayMany(s, s.ana, s.chats.ana, 3)
    let during: string[] = []
    await s.gateway.die()
    during = await sayMany(s, s.ana, s.chats.ana, 3)
    s.gateway.start()
    const after = await sayMany(s, s.ana, s.chats.ana, 3)
    const all = [...before, ...during, ...after]
    await s.arrival(all.at(-1) ?? '')
    expect(heardOf(s, all)).toEqual(all)
  })

  test(['receive'], 'takes nothing twice when it is started again and again', async (s) => {
    const words = await sayMany(s, s.ana, s.chats.ana, 3)
    await s.arrival(words.at(-1) ?? '')
    await s.restart()
    await s.restart()
    await s.stillHears()
    expect(heardOf(s, words)).toEqual(words)
  })
}
