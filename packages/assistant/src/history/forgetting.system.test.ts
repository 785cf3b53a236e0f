import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Archive, createArchive } from './archive.ts'
import { fork } from './copy.ts'
import { removeMentions } from './mentions.ts'
import { searchEpisodes } from './search.ts'
import type { Summarise } from './summary.ts'
import { historyDb } from './tables.ts'
import { noSummary, openTestHistory, type TestHistory } from './testing/test-history.ts'
import { threadOf } from './thread.ts'

const start = new Date('2026-03-01T12:00:00.000Z')
let testHistory: TestHistory
beforeAll(async () => {
  testHistory = await openTestHistory()
})
afterAll(() => testHistory.close())
beforeEach(async () => {
  testHistory.now = start
  await testHistory.change(({ db }) => historyDb(db).deleteFrom('episodes').execute())
})

const archiveWith = (summarise: Summarise): Archive => {
  const { context } = testHistory
  return createArchive({ context, summarise })
}
const find = (text: string) => testHistory.change(({ db }) => searchEpisodes(db, { text, limit: 5 }))
const episodes = () =>
  testHistory.change(({ db }) => historyDb(db).selectFrom('episodes').selectAll().execute())
const dentist = {
  content: "The operator's dentist is Dr. Weber",
  source: { excerpt: 'my dentist is called Dr Weber, in Ottensen' },
}
const turns = [
  { user: 'Plan my week', agent: 'Gladly.' },
  {
    user: 'By the way, my dentist is called Dr Weber, in Ottensen.',
    agent: 'I keep in mind that Dr. Weber is your dentist.',
  },
  {
    user: 'And the boat?',
    agent: 'The boat is ready on Sunday.',
    calls: [{ headline: 'Remember: dentist Weber', summary: 'Kept' }],
  },
]

describe('what is forgotten', () => {
  it('is no longer found in what was said, done or summed up, and stays in the thread', async () => {
    const archive = archiveWith(
      async () => 'They planned a week. Their dentist is Dr. Weber. The boat is ready on Sunday.',
    )
    const { session } = await testHistory.seed({ at: start, turns })
    await archive.archiveBefore(testHistory.context.operator, session, 'all', 'asked')
    await archive.settled()
    expect(await find('dentist')).toHaveLength(1)
    const removed = await testHistory.change((tx) => removeMentions(tx, dentist))
    expect(removed).toBe(4)
    expect(await find('dentist')).toEqual([])
    expect(await find('Ottensen')).toEqual([])
    const [found] = await find('boat')
    expect(found?.summary).toBe('They planned a week. The boat is ready on Sunday.')
    const [episode] = await episodes()
    expect(JSON.stringify(episode)).not.toMatch(/weber/i)
    expect(episode?.forgotten).toHaveLength(3)
    const thread = await testHistory.change(({ db }) => threadOf(db, session, { limit: 50 }))
    expect(JSON.stringify(thread.items)).toContain('my dentist is called Dr Weber')
    expect(await testHistory.change((tx) => removeMentions(tx, dentist))).toBe(0)
  })

  it('leaves alone what only shares a word with it', async () => {
    const { session } = await testHistory.seed({
      at: start,
      turns: [{ user: 'The weber grill is out of gas', agent: 'A dentist? No, gas.' }],
    })
    await archiveWith(noSummary).archiveBefore(testHistory.context.operator, session, 'all', 'asked')
    expect(await testHistory.change((tx) => removeMentions(tx, { ...dentist, source: null }))).toBe(0)
    expect(await find('grill')).toHaveLength(1)
  })

  it('does not come back with a summary that a model makes later, nor with one that was under way', async () => {
    let answer: ((text: string) => void) | undefined
    const asked: string[] = []
    const archive = archiveWith(({ text }) => {
      asked.push(text)
      return new Promise((resolve) => (answer = resolve))
    })
    const { session } = await testHistory.seed({ at: start, turns })
    await archive.archiveBefore(testHistory.context.operator, session, 'all', 'asked')
    await expect.poll(() => asked.length).toBe(1)
    await testHistory.change((tx) => removeMentions(tx, dentist))
    answer?.('Their dentist is Dr. Weber.')
    await archive.settled()
    expect((await episodes())[0]?.summarised_by).toBe('fallback')
    testHistory.now = new Date(start.getTime() + 11 * 60_000)
    const improved = archive.improve()
    await expect.poll(() => asked.length).toBe(2)
    answer?.('They planned a week.')
    expect(await improved).toBe(1)
    expect(asked[0]).toMatch(/weber/i)
    expect(asked[1]).not.toMatch(/weber/i)
    expect(await find('Weber')).toEqual([])
  })

  it('is left out when a conversation that is still open is archived afterwards', async () => {
    const asked: string[] = []
    const archive = archiveWith(async ({ text }) => {
      asked.push(text)
      return undefined
    })
    const { session } = await testHistory.seed({ at: start, turns })
    expect(await testHistory.change((tx) => removeMentions(tx, dentist))).toBe(3)
    await archive.archiveBefore(testHistory.context.operator, session, 'all', 'asked')
    await archive.settled()
    const [episode] = await episodes()
    expect(JSON.stringify(episode)).not.toMatch(/weber|ottensen/i)
    expect(episode?.forgotten).toHaveLength(3)
    expect(asked.join('\n')).not.toMatch(/weber/i)
    expect(await find('week')).toHaveLength(1)
  })

  it('stays forgotten in a fork of the conversation', async () => {
    const archive = archiveWith(noSummary)
    const { session } = await testHistory.seed({ at: start, turns })
    await testHistory.change((tx) => removeMentions(tx, dentist))
    const { session: copy } = await testHistory.change((tx) =>
      fork(tx, session, {}, { actor: { kind: 'operator', id: 'desk' }, uuid: testHistory.context.uuid }),
    )
    for (const each of [session, copy])
      await archive.archiveBefore(testHistory.context.operator, each, 'all', 'asked')
    expect(await episodes()).toHaveLength(2)
    expect(JSON.stringify(await episodes())).not.toMatch(/weber/i)
  })

  it('is kept from an episode that is made at the same time', async () => {
    const archive = archiveWith(noSummary)
    for (let round = 0; round < 8; round += 1) {
      const { session } = await testHistory.seed({ at: start, turns })
      await Promise.all([
        archive.archiveBefore(testHistory.context.operator, session, 'all', 'asked'),
        testHistory.change((tx) => removeMentions(tx, dentist)),
      ])
    }
    expect(JSON.stringify(await episodes())).not.toMatch(/weber/i)
    expect(await episodes()).toHaveLength(8)
  })
})
