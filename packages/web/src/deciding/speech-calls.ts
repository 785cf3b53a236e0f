/**
 * Owns what a voice takes of the gateway: a recording that is written down, and a text that is read aloud, each by the
 * tool for it, through the same door and with the same books as everything. The file in between is taken back.
 */
import type { RunId } from '@countersign/contract'
import { type Client, type UploadPorts, uploadCall } from '@countersign/contract/client'
import { fetchFile } from '../data/file-bytes.ts'
import { callDirectly, type DirectPorts, undoDirectly } from './direct-call.ts'

export interface SpeechPorts extends DirectPorts {
  readonly client: DirectPorts['client'] & Pick<Client, 'filePart' | 'uploadPart' | 'routes' | 'tool'>
  /** Said where a call waits for an approval, which nobody can wait for here. */
  readonly waits: string
  /** Said where the sound changed while it was fetched. */
  readonly changed: string
}

const purposes = { speech_to_text: 'transcription', text_to_speech: 'speech' } as const

/** What is missing for a voice: tools that are switched off, or a model that nobody chose. */
export type SpeechLack = 'off' | 'no-model'

/** Nothing where all is there, and where this device may not look: then the call itself will tell. */
export async function lackOf(
  { client }: Pick<SpeechPorts, 'client'>,
  tool: keyof typeof purposes,
): Promise<SpeechLack | null> {
  const [found, routes] = await Promise.all([
    client.tool(tool).catch(() => null),
    client.routes().catch(() => null),
  ])
  if (found?.enabled === false) return 'off'
  const route = routes?.find(({ purpose }) => purpose === purposes[tool])
  return routes !== null && (route?.models.length ?? 0) === 0 ? 'no-model' : null
}

/** What was said, in words; empty where nothing was. */
export async function writeDown(ports: SpeechPorts, upload: UploadPorts, file: File): Promise<string> {
  const ending = file.name.split('.').at(-1) ?? 'webm'
  const path = `attachments/voice-${crypto.randomUUID()}.${ending}`
  const { tool, args } = await uploadCall(upload, path, new Uint8Array(await file.arrayBuffer()))
  return withFile(ports, await done(ports, tool, args), async () => {
    const run = await done(ports, 'speech_to_text', { audio: path })
    const [call] = (await ports.client.run(run)).calls
    const text = call?.result ?? ''
    return text === '[Nothing was said.]' ? '' : text
  })
}

/** A few minutes of speech. */
const mostSoundBytes = 20_000_000

/** The sound of a text by the model that is chosen for speech. */
export async function spoken(ports: SpeechPorts, text: string): Promise<ArrayBuffer> {
  const outputPath = `sounds/read-aloud-${crypto.randomUUID()}.mp3`
  return withFile(ports, await done(ports, 'text_to_speech', { text, outputPath }), async () => {
    const { bytes } = await fetchFile(ports.client, outputPath, {
      most: mostSoundBytes,
      changed: ports.changed,
    })
    return bytes.buffer
  })
}

async function done(
  ports: SpeechPorts,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<RunId> {
  const outcome = await callDirectly(ports, tool, args)
  if (outcome.kind === 'waits') throw new Error(ports.waits)
  return outcome.run
}

/** It was made for this alone, so it goes, whatever came of it. */
async function withFile<T>(ports: SpeechPorts, made: RunId, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await undoDirectly(ports, made)
  }
}
