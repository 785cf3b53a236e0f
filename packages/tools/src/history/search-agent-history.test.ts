import {
  type FoundEpisode,
  type HistoryQuery,
  idFrom,
  type Label,
  operatorLabel,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { searchAgentHistory } from './search-agent-history.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const episode = (summary: string, label: Label = operatorLabel): FoundEpisode => ({
  id: `epi_${summary}`,
  session: idFrom('ses', '3'.repeat(32)),
  agent: 'assistant',
  goal: null,
  summary,
  excerpt: 'Operator: the blue boat',
  startedAt: '2026-02-01T10:00:00.000Z',
  endedAt: '2026-02-01T10:20:00.000Z',
  messages: 6,
  label,
})

let test: RecordToolRunner
let asked: HistoryQuery[]
beforeEach(() => {
  test = createRecordToolRunner({ now: new Date('2026-03-01T12:00:00.000Z') })
  asked = []
  const search = test.assistant.searchHistory
  test.assistant.searchHistory = (query) => {
    asked.push(query)
    return search(query)
  }
})

const search = async (args: Record<string, string | number>) =>
  (await test.use(searchAgentHistory, { query: 'boat', ...args })).result

describe('search_agent_history', () => {
  it('tells what was found and looks into the stretch of time that was asked for', async () => {
    test.assistant.episodes.push(episode('They spoke of boats.'))
    const result = await search({ timeframe: 'last_week' })
    expect(asked).toEqual([{ text: 'boat', limit: 5, from: '2026-02-22T12:00:00.000Z' }])
    expect(result.text).toContain('They spoke of boats.')
    expect(result.text).toContain('the blue boat')
    expect(result.text).not.toContain('untrusted')
    expect(result.summary).toBe('Found 1 past conversation')
  })

  it('taints with the label of each conversation that it tells of', async () => {
    test.assistant.episodes.push(episode('Clean.'), episode('From the web.', untrusted))
    const result = await search({})
    expect(result.label).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['example.org'],
    })
    expect(result.text).toContain('"untrusted":["example.org"]')
    expect(asked[0]).toEqual({ text: 'boat', limit: 5 })
  })

  it('says what to try when there is nothing', async () => {
    const result = await search({ timeframe: 'today' })
    expect(result).toMatchObject({ ok: true, text: expect.stringContaining('other words') })
    expect(asked[0]?.from).toBe('2026-02-28T12:00:00.000Z')
  })

  it('gives five at most, and refuses an empty query and another stretch of time', async () => {
    await search({ limit: 50 })
    expect(asked[0]?.limit).toBe(5)
    for (const args of [
      {},
      { query: ' ' },
      { query: 'x'.repeat(501) },
      { query: 'a', timeframe: 'ever' },
      { query: 'a', agent: 'x' },
    ]) {
      expect(parseArgs(searchAgentHistory, args).kind, JSON.stringify(args)).toBe('invalid')
    }
  })
})
