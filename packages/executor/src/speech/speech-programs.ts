/**
 * Owns speech by the programs of this machine: espeak-ng reads aloud and Moonshine writes down, each in a process of its
 * own in the sandbox that sees one text or one recording, and neither workspace nor network. Refuses an engine or weights
 * that are not the known ones.
 */
import { Buffer } from 'node:buffer'
import {
  localSpeechModels,
  type MediaFile,
  type MediaReply,
  type SpeechTask,
  soundTypes,
} from '@countersign/contract'
import { speechPartProblem } from '@countersign/contract/node'
import { z } from 'zod'
import { filesOf, programFolder, runProgram, turns } from '../documents/document-programs.ts'
import { documentLimits } from '../documents/limits.ts'
import type { Sandbox } from '../sandbox/port.ts'

export interface SpeechParts {
  readonly sandbox: Sandbox | undefined
  /** Where the part is installed. */
  readonly folder: string | undefined
}

export const speakingLimits = {
  ...documentLimits,
  timeoutMs: 60_000,
} as const

export const listeningLimits = {
  ...documentLimits,
  /** Within half of a permit's lifetime, after which nobody waits any more. */
  timeoutMs: 240_000,
  /** The engine and the weights are mapped beside what V8 takes. */
  maxMemoryBytes: 2 * 1024 ** 3,
} as const

const Spoken = z.object({ seconds: z.number().min(0) })
const Heard = z.object({ text: z.string(), seconds: z.number().min(0) })

export function createSpeechPrograms({
  sandbox,
  folder,
}: SpeechParts): (task: SpeechTask, signal: AbortSignal) => Promise<MediaReply> {
  const turn = turns(documentLimits.atOnce)
  return async (task, signal) => {
    if (!sandbox || folder === undefined) return failed('There is no sandbox.')
    try {
      return await turn(() =>
        task.kind === 'speech' ? speak(task, sandbox, signal) : listen(task, { sandbox, folder }, signal),
      )
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    }
  }
}

async function speak(
  { text, voice, speed, format }: Extract<SpeechTask, { kind: 'speech' }>,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<MediaReply> {
  const request = { text, voice, speed, format }
  const work = { files: filesOf('speaking'), limits: speakingLimits, request, form: Spoken, bytes: null }
  const result = await runProgram(sandbox, work, signal)
  if (result.kind === 'failed') return result
  const [sound] = result.files
  if (!sound) return failed('The program made no sound.')
  const file: MediaFile = {
    mediaType: soundTypes[format],
    base64: Buffer.from(sound).toString('base64'),
  }
  return { kind: 'made', model: localSpeechModels.speech, files: [file] }
}

async function listen(
  { sound, language = 'en' }: Extract<SpeechTask, { kind: 'transcript' }>,
  { sandbox, folder }: { readonly sandbox: Sandbox; readonly folder: string },
  signal: AbortSignal,
): Promise<MediaReply> {
  if (language !== 'en')
    return failed(
      `Moonshine understands English only, not ${language}. Choose another with \`countersign model use <provider/model> --for transcription\`.`,
    )
  const problem = await speechPartProblem(folder)
  if (problem) return failed(`${problem.what} ${problem.next}`)
  const program = filesOf('listening')
  const files = { ...program, mounts: [...program.mounts, { from: folder, at: `${programFolder}/speech` }] }
  const bytes = Buffer.from(sound.base64, 'base64')
  const result = await runProgram(
    sandbox,
    { files, limits: listeningLimits, request: {}, form: Heard, bytes },
    signal,
  )
  if (result.kind === 'failed') return result
  const { text, seconds } = result.facts
  return { kind: 'heard', model: localSpeechModels.transcription, text, language: 'en', seconds }
}

function failed(reason: string): MediaReply {
  return { kind: 'failed', reason }
}
