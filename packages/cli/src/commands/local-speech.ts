/** Installs the part that speaks and listens on the gateway's own host, and chooses it for both directions. */
import { localSpeechModels, localSpeechProvider } from '@countersign/contract'
import type { Context } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { installLocalPart } from './local-part.ts'

const purposes = ['speech', 'transcription'] as const

export async function installSpeech(context: Context): Promise<CommandAnswer> {
  const part = await installLocalPart(context, localSpeechProvider)
  if ('answer' in part) return part.answer
  const { version, bytes } = part
  const { client } = await context.gateway()
  const lines: string[] = []
  for (const purpose of purposes) {
    const model = localSpeechModels[purpose]
    const { ledger } = await client.setRoute(purpose, { strategy: 'fallback', models: [model] })
    lines.push(`For ${purpose}: ${model}.${ledgerMark(ledger)}`)
  }
  return done(
    { part: localSpeechProvider, installed: true, version, bytes, routes: localSpeechModels },
    [
      `Installed local speech ${line(version)}, ${Math.ceil(bytes / 1_000_000)} MB.`,
      ...lines,
      'Both run on this machine: nothing leaves it, and there are no costs. Recordings are understood in English.',
      'Reading aloud needs espeak-ng, and both need ffmpeg: apt-get install espeak-ng ffmpeg. `countersign doctor` says what is missing.',
    ].join('\n'),
  )
}
