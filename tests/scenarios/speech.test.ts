import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localSpeechModels } from '@countersign/contract'
import { speechPartFolder } from '@countersign/contract/node'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installedSpeech } from './installed-speech.ts'

const sentences = [
  'Please buy two bottles of milk and a loaf of bread on the way home.',
  'The meeting with Anna was moved to Thursday at three in the afternoon.',
  'Please call the plumber tomorrow morning and ask when the new boiler can be delivered.',
  'The train to London leaves from platform seven in twenty minutes.',
  'Remind me to water the plants in the garden before the weekend.',
]
/** 54 of 66 words, 0.82, are written down as they were said. */
const leastShare = 0.65

let installation: Installation
let gateway: GatewayProcess
let part: string

beforeAll(async () => {
  const whole = await installedSpeech()
  installation = await openInstallation({
    script: (turn) => {
      const [result] = turn.lastResults
      if (!result) return { calls: [{ name: 'speech_to_text', args: { audio: 'note.ogg' } }] }
      if (result.text.includes('milk'))
        return {
          calls: [{ name: 'text_to_speech', args: { text: 'I will buy it.', outputPath: 'reply.mp3' } }],
        }
      return { text: `Answered: ${result.text}` }
    },
  })
  mkdirSync(installation.paths.workspace, { recursive: true })
  part = speechPartFolder(installation.paths)
  gateway = await installation.start()
  await gateway.client.setRoute('speech', { models: [localSpeechModels.speech] })
  await gateway.client.setRoute('transcription', { models: [localSpeechModels.transcription] })
  writeFileSync(at('tone.wav'), tone())
  const missing = await call('speech_to_text', { audio: 'tone.wav' })
  expect(missing.done).toMatchObject({ outcome: 'failed' })
  expect(missing.done?.result).toContain('countersign provider add local-speech')
  expect(await finding()).toMatchObject({
    severity: 'warning',
    fix: expect.stringContaining('countersign provider add local-speech'),
  })
  cpSync(whole, part, { recursive: true })
})
afterAll(() => installation?.close())

const at = (path: string) => join(installation.paths.workspace, path)

function tone(): Buffer {
  const source = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', '-f', 'wav', 'pipe:1']
  return execFileSync('ffmpeg', ['-v', 'error', ...source])
}

/** As phones send it. */
function asVoiceNote(from: string, to: string): void {
  const form = ['-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '24k']
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', at(from), ...form, at(to)])
}

async function call(name: string, args: object) {
  const { run } = await gateway.client.callTool(name, JSON.stringify(args))
  const detail = await settledRun(gateway.client, run, 'either')
  return { ...detail, done: detail.calls[0] }
}

const finding = async () => (await gateway.client.findings()).find(({ id }) => id === 'speech')

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? []

function heardOf(said: string, heard: string): number {
  const left = wordsOf(heard)
  return wordsOf(said).filter((word) => {
    const index = left.indexOf(word)
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  }).length
}

test('what is whole is not fetched again, and the doctor has nothing to say', async () => {
  const steps = await Array.fromAsync(await gateway.client.installPart('local-speech'))
  expect(steps).toMatchObject([{ installed: true, version: '1.13.8' }])
  expect(await finding()).toMatchObject({ severity: 'ok' })
})

test('what espeak-ng says is written down by Moonshine from a voice note, for nothing', async () => {
  let heard = 0
  let said = 0
  for (const [index, text] of sentences.entries()) {
    const made = await call('text_to_speech', { text, outputPath: `said-${index}.wav` })
    expect(made.done).toMatchObject({ outcome: 'ok', undoable: true })
    asVoiceNote(`said-${index}.wav`, `said-${index}.ogg`)
    const { done, run } = await call('speech_to_text', { audio: `said-${index}.ogg` })
    expect(done).toMatchObject({ outcome: 'ok' })
    heard += heardOf(text, done?.result ?? '')
    said += wordsOf(text).length
    const { lines } = await gateway.client.costs({ by: 'run' })
    expect(lines.find(({ key }) => key === run.id)).toMatchObject({ calls: 1, usd: 0 })
  }
  expect(heard / said).toBeGreaterThan(leastShare)
})

test.each(['mp3', 'opus', 'aac', 'flac', 'wav'])('a text is read aloud as %s', async (ending) => {
  const outputPath = `hello.${ending}`
  expect((await call('text_to_speech', { text: 'Hello Anna', outputPath })).done).toMatchObject({
    outcome: 'ok',
  })
  const info = await call('audio_info', { path: outputPath })
  expect(JSON.parse(info.done?.result ?? '{}')).toMatchObject({
    codec: { mp3: 'mp3', opus: 'opus', aac: 'aac', flac: 'flac', wav: 'pcm_s16le' }[ending],
  })
})

test('a recording of more than half a minute is written down in pieces', async () => {
  const text = [...sentences, ...sentences].join(' ')
  const made = await call('text_to_speech', { text, outputPath: 'long.mp3' })
  expect(made.done).toMatchObject({ outcome: 'ok' })
  const { done } = await call('speech_to_text', { audio: 'long.mp3' })
  expect(heardOf(text, done?.result ?? '') / wordsOf(text).length).toBeGreaterThan(leastShare)
})

test('a voice note is heard and answered by voice', async () => {
  await call('text_to_speech', { text: sentences[0], outputPath: 'question.wav' })
  asVoiceNote('question.wav', 'note.ogg')
  const { run } = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: 'Answer the voice note',
    mode: 'auto',
  })
  const detail = await settledRun(gateway.client, run ?? '', 'either')
  expect(detail.calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['speech_to_text', 'ok'],
    ['text_to_speech', 'ok'],
  ])
  expect(readFileSync(at('reply.mp3')).length).toBeGreaterThan(1_000)
})

test('another language, a translation and silence are told as what they are', async () => {
  expect((await call('speech_to_text', { audio: 'tone.wav', language: 'de' })).done?.result).toContain(
    'English only',
  )
  expect((await call('translate_audio', { audio: 'tone.wav' })).done?.result).toContain(
    'countersign model use',
  )
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'anullsrc=r=16000:cl=mono',
    '-t',
    '3',
    at('still.wav'),
  ])
  expect((await call('speech_to_text', { audio: 'still.wav' })).done?.result).toBe('[Nothing was said.]')
})

test('changed weights are refused, found by the doctor, and replaced', async () => {
  const weights = join(part, 'model', 'encoder_model.onnx')
  renameSync(weights, `${weights}.kept`)
  cpSync(`${weights}.kept`, weights)
  appendFileSync(weights, '!')
  const { done } = await call('speech_to_text', { audio: 'tone.wav' })
  expect(done).toMatchObject({ outcome: 'failed', result: expect.stringContaining('not the known file') })
  expect(await finding()).toMatchObject({
    severity: 'warning',
    evidence: expect.stringContaining('encoder_model.onnx'),
  })
  renameSync(`${weights}.kept`, weights)
  expect((await call('speech_to_text', { audio: 'tone.wav' })).done).toMatchObject({ outcome: 'ok' })
})
