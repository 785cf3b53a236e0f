/**
 * The program that reads a text aloud: espeak-ng of the host speaks, ffmpeg of the host puts it into the form that was
 * asked for. The text goes to the standard input of espeak-ng as plain words, and nothing of it to a command line.
 */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { asked, safely, soundPlace } from './ffmpeg.ts'
import { Refusal, serve } from './serve.ts'

interface Request {
  readonly text: string
  /** A language that espeak-ng knows, such as `de`; another name is spoken in the usual voice. */
  readonly voice: string
  readonly speed: number
  readonly format: keyof typeof encodings
}

const encodings = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-f', 'mp3'],
  opus: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'],
  aac: ['-c:a', 'aac', '-b:a', '64k', '-f', 'adts'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
} as const

const usualVoice = 'en-us'
const wordsInMinute = 150
/** What espeak-ng speaks at. */
const slowest = 80
const fastest = 450
/** Ten minutes at 22,050 samples in a second. */
const mostSoundBytes = 26_460_000
const made = '/tmp/made'

await serve<Request>(async ({ text, voice, speed, format }) => {
  const known = voicesIn(spoken(['--voices']).toString('utf8'))
  const pace = Math.round(Math.min(Math.max(wordsInMinute * speed, slowest), fastest))
  const words = ['-v', known.has(voice) ? voice : usualVoice, '-s', String(pace), '-b', '1']
  const sound = spoken([...words, '--stdin', '--stdout'], plain(text))
  writeFileSync(soundPlace, sound)
  asked('ffmpeg', ['-nostdin', ...safely, '-i', soundPlace, ...encodings[format], made], 1_000)
  return { facts: { seconds: sound.length / 44_100 }, files: [readFileSync(made)] }
})

/** Without what espeak-ng takes for commands: its own signs, and phonemes between double brackets. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\[(?=\[)/g, '[ ')
}

/** The second word of each line after the head. */
function voicesIn(list: string): ReadonlySet<string> {
  const lines = list.split('\n').slice(1)
  return new Set(lines.map((line) => line.trim().split(/\s+/)[1] ?? ''))
}

function spoken(words: readonly string[], input = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync('espeak-ng', words, {
    input,
    maxBuffer: mostSoundBytes,
  })
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Refusal('There is no espeak-ng on this host. Install it: apt-get install espeak-ng.')
  if (error && 'code' in error && error.code === 'ENOBUFS')
    throw new Refusal('It would take more than ten minutes to say. Give it in parts.')
  if (status !== 0)
    throw new Refusal(
      `espeak-ng did not speak: ${Buffer.from(stderr ?? '')
        .toString('utf8')
        .slice(0, 200)}`,
    )
  return stdout
}
