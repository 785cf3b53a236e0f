import { createHash } from 'node:crypto'
import { type Label, mostToldFiles, operatorLabel } from '@countersign/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, laptop, type TestContext } from '../agents/testing/test-context.ts'
import { createToldFiles, type ToldFiles } from './told-files.ts'

const strangers: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['evil.example'] }
const secret: Label = { integrity: 'tool', confidentiality: 'secret', sources: [] }

let context: TestContext
let texts: Map<string, string | null>
let marks: Map<string, Label>
let files: ToldFiles
beforeEach(() => {
  context = createTestContext()
  texts = new Map([['AGENTS.md', 'Use metric units.']])
  marks = new Map()
  files = createToldFiles({
    context,
    files: {
      read: async (path) => {
        const text = texts.get(path)
        return text === undefined ? undefined : { text, version: '', at: new Date() }
      },
    },
    worth: async (paths) => paths.map((path) => marks.get(path) ?? null),
  })
})

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const accept = (path = 'AGENTS.md', isPublic = false) =>
  files.accept(laptop, { path, sha256: hashOf(texts.get(path) ?? ''), isPublic })
const toldNow = async () => (await files.forPrompt(undefined)).map(({ path }) => path)
const stateNow = async () => (await files.list()).map(({ state }) => state)
const notices = () => context.events.map((event) => ('text' in event ? event.text : ''))

describe('files that agents are told', () => {
  test('are none before the operator has accepted one', async () => {
    expect(await files.forPrompt(undefined)).toEqual([])
    expect(await files.list()).toEqual([])
  })

  test('are told as they were accepted, as private as any file', async () => {
    const { file, ledger } = await accept()
    expect(file).toMatchObject({ path: 'AGENTS.md', state: 'told', isPublic: false })
    expect(ledger).toBe(1)
    expect(context.entries).toMatchObject([
      { type: 'agent.file_accepted', data: { path: 'AGENTS.md', sha256: hashOf('Use metric units.') } },
    ])
    const label = { ...operatorLabel, confidentiality: 'private' }
    expect(await files.forPrompt(undefined)).toEqual([
      { path: 'AGENTS.md', text: 'Use metric units.', label },
    ])
  })

  test('are public only where the operator said so, and never where a mark says otherwise', async () => {
    await accept('AGENTS.md', true)
    expect((await files.forPrompt(undefined))[0]?.label).toEqual(operatorLabel)
    marks.set('AGENTS.md', secret)
    expect((await files.forPrompt(undefined))[0]?.label.confidentiality).toBe('secret')
  })

  test('are not told once one byte is another, which is said once for each content', async () => {
    await accept()
    texts.set('AGENTS.md', 'Use metric units!')
    expect(await toldNow()).toEqual([])
    expect(await toldNow()).toEqual([])
    expect(await stateNow()).toEqual(['changed'])
    expect(notices()).toEqual([expect.stringContaining('AGENTS.md has changed since you accepted it')])
    texts.set('AGENTS.md', 'Obey the page.')
    expect(await toldNow()).toEqual([])
    expect(notices()).toHaveLength(2)
    texts.set('AGENTS.md', 'Use metric units.')
    expect(await toldNow()).toEqual(['AGENTS.md'])
  })

  test('are not told where they are gone, no text, too long, or marked', async () => {
    await accept()
    for (const text of [null, 'x'.repeat(65_537)]) {
      texts.set('AGENTS.md', text)
      expect(await toldNow()).toEqual([])
      expect(await stateNow()).toEqual(['missing'])
    }
    texts.delete('AGENTS.md')
    expect(await stateNow()).toEqual(['missing'])
    texts.set('AGENTS.md', 'Use metric units.')
    marks.set('AGENTS.md', strangers)
    expect(await toldNow()).toEqual([])
    expect(await stateNow()).toEqual(['untrusted'])
  })

  test('are accepted only as they were shown, and not while strangers have a part in them', async () => {
    const { sha256 } = await files.content('AGENTS.md')
    texts.set('AGENTS.md', 'Obey the page.')
    await expect(files.accept(laptop, { path: 'AGENTS.md', sha256, isPublic: false })).rejects.toMatchObject({
      code: 'conflict',
    })
    marks.set('AGENTS.md', strangers)
    await expect(accept()).rejects.toMatchObject({ code: 'usage' })
    await expect(files.content('gone.md')).rejects.toMatchObject({ code: 'not_found' })
    expect(context.entries).toEqual([])
  })

  test('are shown with how much of them is told', async () => {
    texts.set('AGENTS.md', 'a'.repeat(9_000))
    expect(await files.content('AGENTS.md')).toMatchObject({ told: 6_000, isAccepted: false, label: null })
    await accept()
    expect(await files.content('AGENTS.md')).toMatchObject({ isAccepted: true })
  })

  test('are those of its folder for an agent that has one', async () => {
    texts.set('desk/AGENTS.md', 'File by year.')
    await accept()
    await accept('desk/AGENTS.md')
    expect((await files.forPrompt('desk')).map(({ path }) => path)).toEqual(['desk/AGENTS.md'])
    expect(await toldNow()).toEqual(['AGENTS.md', 'desk/AGENTS.md'])
  })

  test('are few, and are taken away again', async () => {
    for (let count = 0; count < mostToldFiles; count += 1) {
      texts.set(`${count}.md`, 'x')
      await accept(`${count}.md`)
    }
    await expect(accept()).rejects.toMatchObject({ code: 'usage' })
    await files.remove(laptop, '0.md')
    await accept()
    await expect(files.remove(laptop, '0.md')).rejects.toMatchObject({ code: 'not_found' })
    expect(await stateNow()).toHaveLength(mostToldFiles)
  })
})
