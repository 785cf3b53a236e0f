import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freeMeter } from '../../packages/assistant/src/memory/recall/testing/made-vectors.ts'
import { searchWords } from '../../packages/assistant/src/memory/recall/word-search.ts'
import { type AskedMemories, openAskedMemories } from './asked-memories.ts'
import memories from './memories.json' with { type: 'json' }
import allQuestions from './questions.json' with { type: 'json' }

interface Question {
  readonly kind: string
  readonly question: string
  /** Each is something that has to be found, by one of these memories. */
  readonly expected: readonly (readonly string[])[]
  /** What was true once: it has to stand below what is expected, or nowhere. */
  readonly outdated?: readonly string[]
}

type Way = 'hybrid' | 'vectors' | 'words'

const questions: readonly Question[] = allQuestions
const kinds = ['paraphrase', 'exact', 'outdated', 'trap']
const limit = 5
const answers = new Map<Way, readonly (readonly string[])[]>()
let setting: AskedMemories

beforeAll(async () => {
  setting = await openAskedMemories()
  const { context, index, embeddings, recall } = setting
  const texts = questions.map(({ question }) => question)
  const embedded = await embeddings.embed(texts, new AbortController().signal, freeMeter)
  if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
  const { operator, records } = context
  const found: Record<Way, string[][]> = { hybrid: [], vectors: [], words: [] }
  for (const [place, text] of texts.entries()) {
    const recalled = await recall.recall({ text, limit })
    found.hybrid.push(recalled.map(({ id }) => id))
    const vector = embedded.vectors[place] ?? new Float32Array()
    await records.read(operator, async ({ db }) => {
      const near = { model: embedded.model, vector, limit, filter: {} }
      await index.prepare(db, operator)
      const nearest = await index.search((work) => work(db), operator, near)
      found.vectors.push(nearest.map(({ memory }) => memory))
      const matches = await searchWords(db, operator, { text, limit, filter: {}, memories: memories.length })
      found.words.push(matches.map(({ memory }) => memory))
    })
  }
  for (const way of ['hybrid', 'vectors', 'words'] as const) answers.set(way, found[way])
  process.stderr.write(report())
})

afterAll(() => setting?.close())

/** The mean share of what was expected that is among the first five. */
function recallOf(way: Way, among: (question: Question, place: number) => boolean = () => true): number {
  const shares = questions.flatMap((question, place) => {
    if (!among(question, place)) return []
    const found = answers.get(way)?.[place] ?? []
    const hit = question.expected.filter((any) => any.some((id) => found.includes(id)))
    return [hit.length / question.expected.length]
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** The share of outdated facts that do not stand above what corrected them. */
function orderOf(way: Way): number {
  const right = questions.flatMap(({ expected, outdated }, place) => {
    if (!outdated) return []
    const found = answers.get(way)?.[place] ?? []
    const at = (ids: readonly string[] = []) => found.findIndex((id) => ids.includes(id))
    return [at(expected[0]) !== -1 && (at(outdated) === -1 || at(expected[0]) < at(outdated))]
  })
  return right.filter(Boolean).length / right.length
}

function report(): string {
  const line = (way: Way) => {
    const of = kinds.map((kind) => `${kind} ${recallOf(way, (each) => each.kind === kind).toFixed(3)}`)
    return `${way.padEnd(8)} ${recallOf(way).toFixed(3)}  (${of.join(', ')}; corrections first ${orderOf(way).toFixed(2)})`
  }
  const lines = (['hybrid', 'vectors', 'words'] as const).map(line)
  return `recall@${limit}: ${memories.length} memories, ${questions.length} questions\n${lines.join('\n')}\n`
}

describe('recall over the memories of one operator', () => {
  test('has enough to ask and to be asked', () => {
    expect(memories.length).toBeGreaterThanOrEqual(300)
    expect(questions.length).toBeGreaterThanOrEqual(100)
    expect(new Set(memories.map(({ id }) => id)).size).toBe(memories.length)
    const known = new Set(memories.map(({ id }) => id))
    for (const { expected, outdated = [] } of questions)
      for (const id of [...expected.flat(), ...outdated]) expect(known).toContain(id)
  })

  test('finds nine of ten things among the first five', () => {
    expect(recallOf('hybrid')).toBeGreaterThanOrEqual(0.9)
  })

  test('does so on either half of the questions', () => {
    expect(recallOf('hybrid', (_, place) => place % 2 === 0)).toBeGreaterThanOrEqual(0.88)
    expect(recallOf('hybrid', (_, place) => place % 2 === 1)).toBeGreaterThanOrEqual(0.88)
  })

  test('finds what is asked for by its name or number', () => {
    expect(recallOf('hybrid', ({ kind }) => kind === 'exact')).toBe(1)
  })

  test('puts what is true now above what was, far more often than either half of it alone', () => {
    expect(orderOf('hybrid')).toBeGreaterThanOrEqual(0.7)
    expect(orderOf('hybrid')).toBeGreaterThan(Math.max(orderOf('vectors'), orderOf('words')) + 0.2)
  })

  test('tells a thing once that was remembered twice in nearly the same words', () => {
    const twice = [
      ['hom04', 'dup02'],
      ['foo02', 'dup03'],
      ['fam26', 'dup06'],
      ['mon04', 'dup08'],
      ['frn01', 'dup10'],
      ['dig09', 'dup11'],
    ]
    for (const found of answers.get('hybrid') ?? [])
      for (const pair of twice) expect(pair.every((id) => found.includes(id))).toBe(false)
  })
})
