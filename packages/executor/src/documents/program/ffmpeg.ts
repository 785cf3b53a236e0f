/** Owns how ffmpeg and ffprobe of the host are asked: for the one file, and only forms that hold sound. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { Refusal } from './serve.ts'

const forms =
  'mp3,wav,w64,flac,ogg,aac,aiff,au,caf,amr,asf,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,ac3,eac3,dts,wv,ape,mpc,mpc8,tta'

/** Where the one file lies in the sandbox. */
export const soundPlace = '/tmp/sound'

export const safely = ['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', forms]

/** What it writes to its standard output; more than it may write is a refusal. */
export function asked(program: 'ffprobe' | 'ffmpeg', words: readonly string[], mostBytes: number): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Refusal(`There is no ${program} on this host. Install it: apt-get install ffmpeg.`)
  if (error && 'code' in error && error.code === 'ENOBUFS') throw new Refusal('It holds more than is read.')
  if (status !== 0) {
    const [line = ''] = stderr.toString('utf8').trim().split('\n').slice(-1)
    throw new Refusal(
      `It is no sound that can be opened here, or damaged: ${line.replace(`${soundPlace}: `, '').slice(0, 200)}`,
    )
  }
  return stdout
}
