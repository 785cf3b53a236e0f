import type { RunDetail, RunId } from '@countersign/contract'
import { expect, test } from 'vitest'
import { lackOf, type SpeechPorts, spoken, writeDown } from './speech-calls.ts'

interface Answers {
  readonly outcome?: 'completed' | 'error'
  readonly result?: string
  readonly enabled?: boolean
  readonly models?: readonly string[] | null
}

/** A gateway that does every call at once, and tells which it was asked for. */
function gateway({
  outcome = 'completed',
  result = 'Buy milk.',
  enabled = true,
  models = ['a/b'],
}: Answers = {}) {
  const asked: string[] = []
  const calls: string[] = []
  const client = {
    callTool: async (name: string, args: string) => {
      asked.push(`${name} ${Object.values(JSON.parse(args) as object)[0]}`.replace(/-[\w-]{36}/, ''))
      calls.push(name)
      return { run: `run_${calls.length}` as RunId }
    },
    run: async (id: string) => {
      const failed = outcome === 'error' && calls[Number(id.slice(4)) - 1] === 'speech_to_text'
      const run = { id, state: 'stopped', reason: failed ? 'error' : 'completed', message: 'It failed.' }
      return { run, calls: [{ undoable: true, result }], approvals: [] } as unknown as RunDetail
    },
    undoRun: async (id: string) => {
      asked.push(`undo ${id}`)
      calls.push('undo')
      return { run: `run_${calls.length}` as RunId }
    },
    uploadPart: async (_: string, offset: number, base64: string) => ({
      received: offset + atob(base64).length,
    }),
    filePart: async () => ({ size: 3, version: 'v', base64: btoa('abc') }),
    tool: async () => ({ enabled }),
    routes: async () => {
      if (models === null) throw new Error('not allowed')
      return [{ purpose: 'transcription', models }]
    },
  }
  const ports = {
    client,
    wait: async () => undefined,
    tooLong: 'too long',
    waits: 'waits',
    changed: 'changed',
  } as unknown as SpeechPorts
  return { ports, asked }
}

const upload = {
  send: async (_: string, offset: number, base64: string) => ({ received: offset + atob(base64).length }),
  base64: (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)),
  sha256: async () => 'a'.repeat(64),
} as unknown as Parameters<typeof writeDown>[1]

const recording = () => new File(['sound'], 'voice.webm')

test('a recording is put there, written down, and taken back', async () => {
  const { ports, asked } = gateway()
  expect(await writeDown(ports, upload, recording())).toBe('Buy milk.')
  expect(asked).toEqual([
    'write_upload attachments/voice.webm',
    'speech_to_text attachments/voice.webm',
    'undo run_1',
  ])
})

test('silence is no words', async () => {
  expect(await writeDown(gateway({ result: '[Nothing was said.]' }).ports, upload, recording())).toBe('')
})

test('a recording that is not written down is taken back as well', async () => {
  const { ports, asked } = gateway({ outcome: 'error' })
  await expect(writeDown(ports, upload, recording())).rejects.toThrow('It failed.')
  expect(asked.at(-1)).toBe('undo run_1')
})

test('the sound of a text is fetched, and its file taken back', async () => {
  const { ports, asked } = gateway()
  expect(new TextDecoder().decode(await spoken(ports, 'Hello'))).toBe('abc')
  expect(asked).toEqual(['text_to_speech Hello', 'undo run_1'])
})

test.each([
  [{}, null],
  [{ enabled: false }, 'off'],
  [{ models: [] }, 'no-model'],
  [{ models: null }, null],
] as const)('with %j it lacks %s', async (answers, lack) => {
  expect(await lackOf(gateway(answers).ports, 'speech_to_text')).toBe(lack)
})
