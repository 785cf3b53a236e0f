/**
 * The program that writes down what is said in a recording: ffmpeg of the host turns it into plain sound, and Moonshine
 * listens to it piece by piece. Its engine and its weights lie beside it, to be read and not to be written.
 */
import type { Buffer } from 'node:buffer'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { asked, safely, soundPlace } from './ffmpeg.ts'
import { Refusal, serve } from './serve.ts'

const samplesInSecond = 16_000
const bytesOfSample = 2
const longestSeconds = 1_200
/** The model was made for pieces of half a minute; each ends where it is quietest in its last third. */
const longestPiece = 30 * samplesInSecond
const shortestPiece = 20 * samplesInSecond
const frame = samplesInSecond / 10
/** Of the largest sample there can be. In less the model hears words that nobody said. */
const silence = 0.003

await serve<object>(async (_, bytes) => {
  writeFileSync(soundPlace, bytes)
  const samples = samplesOf(soundIn())
  const seconds = samples.length / samplesInSecond
  const listen = openRecognizer()
  const said = piecesOf(samples).map((piece) => (isSilent(piece) ? '' : listen(piece).trim()))
  return { facts: { text: said.filter((each) => each !== '').join(' '), seconds } }
})

function soundIn(): Buffer {
  const most = longestSeconds * samplesInSecond * bytesOfSample
  const until = ['-t', String(longestSeconds + 1)]
  const form = ['-map', '0:a:0', '-ac', '1', '-ar', String(samplesInSecond), '-f', 's16le', 'pipe:1']
  const sound = asked('ffmpeg', ['-nostdin', ...safely, '-i', soundPlace, ...until, ...form], most * 2)
  if (sound.length > most)
    throw new Refusal(
      `It is longer than ${longestSeconds / 60} minutes. Split it first, for instance with split_audio.`,
    )
  return sound
}

function samplesOf(sound: Buffer): Float32Array {
  const count = Math.floor(sound.length / bytesOfSample)
  return Float32Array.from({ length: count }, (_, at) => sound.readInt16LE(at * bytesOfSample) / 32_768)
}

function piecesOf(samples: Float32Array): Float32Array[] {
  const pieces: Float32Array[] = []
  let from = 0
  while (samples.length - from > longestPiece) {
    const until = quietestIn(samples, from + shortestPiece, from + longestPiece)
    pieces.push(samples.subarray(from, until))
    from = until
  }
  return [...pieces, samples.subarray(from)]
}

/** The middle of the quietest tenth of a second. */
function quietestIn(samples: Float32Array, from: number, until: number): number {
  let quietest = { at: until, loudness: Number.POSITIVE_INFINITY }
  for (let at = from; at + frame <= until; at += frame) {
    const loudness = loudnessOf(samples.subarray(at, at + frame))
    if (loudness < quietest.loudness) quietest = { at: at + frame / 2, loudness }
  }
  return quietest.at
}

function isSilent(piece: Float32Array): boolean {
  for (let at = 0; at < piece.length; at += frame)
    if (loudnessOf(piece.subarray(at, at + frame)) > silence) return false
  return true
}

function loudnessOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

/** As far as it is used here. */
interface Engine {
  readonly OfflineRecognizer: new (
    settings: object,
  ) => {
    createStream(): { acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void }
    decode(stream: object): void
    getResult(stream: object): { readonly text: string }
  }
}

function openRecognizer(): (piece: Float32Array) => string {
  const at = (path: string) => fileURLToPath(new URL(`../speech/${path}`, import.meta.url))
  const engine = at('node_modules/sherpa-onnx-node/non-streaming-asr.js')
  const { OfflineRecognizer } = createRequire(import.meta.url)(engine) as Engine
  const moonshine = {
    encoder: at('model/encoder_model.onnx'),
    mergedDecoder: at('model/decoder_model_merged.onnx'),
  }
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: samplesInSecond, featureDim: 80 },
    modelConfig: { moonshine, tokens: at('model/tokens.txt'), numThreads: 2, provider: 'cpu', debug: 0 },
  })
  return (piece) => {
    const stream = recognizer.createStream()
    stream.acceptWaveform({ samples: piece, sampleRate: samplesInSecond })
    recognizer.decode(stream)
    return recognizer.getResult(stream).text
  }
}
