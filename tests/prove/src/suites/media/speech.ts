/**
 * Tries the programs for speech as the executor asks them: texts that look like options, commands or markup or have no
 * end, recordings that are damaged or made to do harm, and files of the part that somebody changed.
 */
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaReply, SpeechTask } from '@countersign/contract'
import {
  speechEngine,
  speechWeights,
  speechWords,
} from '../../../../../packages/contract/src/speech-files.ts'
import type { Sandbox } from '../../../../../packages/executor/src/sandbox/port.ts'
import { createSpeechPrograms } from '../../../../../packages/executor/src/speech/speech-programs.ts'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { installedSpeech } from '../../../../scenarios/installed-speech.ts'
import { damaged } from './damage.ts'
import { hostileFiles } from './hostile.ts'
import type { Watched } from './outside.ts'

const { signal } = new AbortController()
/** In bytes of 22,050 samples in a second. */
const fiveSeconds = 5 * 44_100

export interface SpeechBench {
  readonly sandbox: Sandbox
  readonly watched: Watched
  readonly random: Random
  /** Honest recordings. */
  readonly sounds: readonly Buffer[]
}

export async function trySpeech(n: number, bench: SpeechBench): Promise<{ count: number; wrong: string[] }> {
  if (!existsSync('/usr/bin/espeak-ng') || bench.sounds.length === 0) return { count: 0, wrong: [] }
  const folder = await installedSpeech()
  const work = createSpeechPrograms({ sandbox: bench.sandbox, folder })
  let count = 0
  const wrong: string[] = []
  const attempt = async (name: string, task: SpeechTask, problemOf: (reply: MediaReply) => string) => {
    count += 1
    const reply = await work(task, signal)
    const told = [problemOf(reply), ...bench.watched.look()]
    if (JSON.stringify(reply).includes(bench.watched.token)) told.push('the canary was read')
    wrong.push(...told.filter((each) => each !== '').map((problem) => `speech, ${name}: ${problem}`))
    return reply
  }
  await tryTexts(attempt, bench.watched)
  await tryRecordings(n, attempt, bench)
  const changed = await tryChangedFiles(folder, bench)
  return { count: count + changed.count, wrong: [...wrong, ...changed.wrong] }
}

type Attempt = (
  name: string,
  task: SpeechTask,
  problemOf: (reply: MediaReply) => string,
) => Promise<MediaReply>

const saying = (text: string): SpeechTask => ({
  kind: 'speech',
  text,
  voice: 'alloy',
  speed: 1,
  format: 'wav',
})
const hearing = (sound: Uint8Array): SpeechTask => ({
  kind: 'transcript',
  sound: { mediaType: 'audio/wav', base64: Buffer.from(sound).toString('base64') },
})

function soundOf(reply: MediaReply): Buffer | undefined {
  const base64 = reply.kind === 'made' ? reply.files[0]?.base64 : undefined
  const sound = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  return sound?.subarray(0, 4).toString('latin1') === 'RIFF' ? sound : undefined
}

async function tryTexts(attempt: Attempt, { canary, port }: Watched): Promise<void> {
  for (const text of ['--version', '--voices', `-f ${canary}`, `-w ${canary}`, '-h', '--', '-'])
    await attempt(`options: ${text}`, saying(`${text} hello`), (reply) =>
      soundOf(reply) ? '' : `it was not spoken: ${JSON.stringify(reply).slice(0, 200)}`,
    )
  for (const text of [
    '<speak><break time="9s"/>hello</speak>',
    `<audio src="${canary}"/> hello`,
    `<audio src="http://127.0.0.1:${port}/a.wav"/> hello`,
  ])
    await attempt(`markup: ${text}`, saying(text), (reply) => {
      const sound = soundOf(reply)
      if (!sound) return `it was not spoken: ${JSON.stringify(reply).slice(0, 200)}`
      // Read as markup it is silent for nine seconds, or for as long as nothing is found.
      return text.includes('break') && sound.length > fiveSeconds * 3 ? 'it was taken for markup' : ''
    })
  for (const [name, text, plain] of [
    ['phonemes', "[[h@l'oU w'3:ld]]", "[ [h@l'oU w'3:ld]]"],
    ['commands', 'hello \u0001400S there \u00015A again', 'hello  400S there  5A again'],
  ] as const) {
    const expected = soundOf(await attempt(`${name}, spelled`, saying(plain), () => ''))
    await attempt(name, saying(text), (reply) =>
      expected && soundOf(reply)?.equals(expected) ? '' : 'it was taken for more than words',
    )
  }
  await attempt('a text without end', saying('7, '.repeat(1_333)), (reply) =>
    reply.kind === 'failed' && reply.reason.includes('ten minutes')
      ? ''
      : 'it was not refused for its length',
  )
}

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2', '-c:a', 'pcm_u8']

async function tryRecordings(n: number, attempt: Attempt, bench: SpeechBench): Promise<void> {
  const { random, sounds, watched } = bench
  for (const { name, bytes, refused } of hostileFiles(watched).audio)
    await attempt(`recording, ${name}`, hearing(bytes), (reply) =>
      refused && reply.kind !== 'failed' ? 'it was opened' : '',
    )
  const odd = execFileSync('/usr/bin/ffmpeg', ['-v', 'error', ...tone, '-f', 'voc', 'pipe:1'])
  await attempt('recording, a form that is not on the list', hearing(odd), (reply) =>
    reply.kind === 'failed' ? '' : 'it was opened',
  )
  const times = Math.max(4, Math.round(n / 10))
  for (let index = 0; index < times; index += 1) {
    const base = random.pick(sounds)
    const { name, bytes } = damaged(base, random, random.pick(sounds))
    await attempt(`recording, ${name}`, hearing(bytes), (reply) =>
      reply.kind === 'made' ? 'it is no answer to a recording' : '',
    )
  }
  await attempt('recording, honest', hearing(random.pick(sounds)), (reply) =>
    reply.kind === 'heard' ? '' : `it is refused: ${JSON.stringify(reply).slice(0, 200)}`,
  )
}

/** Every file of the part in turn. */
async function tryChangedFiles(
  folder: string,
  { sandbox, sounds: [sound = Buffer.of()] }: SpeechBench,
): Promise<{ count: number; wrong: string[] }> {
  const scratch = mkdtempSync(join(tmpdir(), 'prove-speech-'))
  const packages = [...(speechEngine(process.platform, process.arch) ?? []), speechWeights]
  const files = [speechWords, ...packages.flatMap((each) => Object.values(each.files))]
  const wrong: string[] = []
  try {
    cpSync(folder, scratch, { recursive: true })
    const work = createSpeechPrograms({ sandbox, folder: scratch })
    for (const { path } of files) {
      appendFileSync(join(scratch, path), '\n')
      const reply = await work(hearing(sound), signal)
      if (reply.kind !== 'failed' || !reply.reason.includes('not the known file'))
        wrong.push(`speech, ${path} was changed: ${JSON.stringify(reply).slice(0, 200)}`)
      cpSync(join(folder, path), join(scratch, path))
    }
    return { count: files.length, wrong }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
