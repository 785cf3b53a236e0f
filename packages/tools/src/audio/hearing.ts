/**
 * Owns what the tools have in common that have a model listen to a recording of the workspace: it is looked at in the
 * sandbox first, so that it is sound, as long as the books say, and nothing else leaves. What was said is worth what the
 * file is worth.
 */
import { Buffer } from 'node:buffer'
import { type MediaTask, mediaTypeOf } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import { findDocument, largestDocument, openDocument } from '../documents/document-file.ts'
import { problemOf } from '../image/made-pictures.ts'
import { failed, succeeded } from '../result.ts'
import { withoutFfmpeg } from './ffmpeg.ts'

export interface HearingTool<Args extends { readonly audio: string }> {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly tags: readonly string[]
  readonly input: z.ZodType<Args>
  describe(args: Args): string
  /** Without the recording. */
  task(args: Args): HearingWish
}

type Hearing = Extract<MediaTask, { kind: 'transcript' | 'translation' }>
export type HearingWish = Hearing extends infer Task
  ? Task extends Hearing
    ? Omit<Task, 'sound' | 'seconds'>
    : never
  : never

const Facts = z.looseObject({ seconds: z.number().min(0), codec: z.string().nullable() })

export function hearing<Args extends { readonly audio: string } & Readonly<Record<string, unknown>>>(
  tool: HearingTool<Args>,
): ToolDefinition {
  const { name, version, description, tags, input } = tool
  return defineTool<Args>({
    name,
    version,
    description,
    input,
    category: 'audio',
    group: 'audio',
    tags,
    effect: 'pure',
    floor: 0,
    output: { integrity: 'tool', confidentiality: 'private', sources: [] },
    runs: 'executor',
    sandbox: 'documents',
    egress: 'none',
    describe: (args) => tool.describe(args),
    preview: (args) => ({ kind: 'text', title: tool.describe(args), text: JSON.stringify(args, null, 2) }),
    async effects({ audio }, inspect) {
      const found = await findDocument(audio, inspect)
      if (found.kind !== 'found') return found
      const missing = await withoutFfmpeg(inspect)
      return missing ?? { kind: 'found', resources: [found.resource], effects: [found.effect] }
    },
    async run(args, capabilities, signal) {
      const { audio: path } = args
      const job = { program: 'audio', op: 'info' } as const
      const opened = await openDocument(capabilities, { path, job, form: Facts }, signal)
      if (opened.kind === 'failed') return failed(opened.reason)
      const location = capabilities.files.locate(path)
      if (location.root === 'nowhere') return failed(location.reason)
      const content = await capabilities.files.read(location, largestDocument)
      if (content.kind === 'failed') return failed(content.reason)
      const { seconds } = opened.facts
      const sound = { mediaType: soundTypeOf(path), base64: Buffer.from(content.bytes).toString('base64') }
      const reply = await capabilities.models.work({ ...tool.task(args), sound, seconds } as Hearing)
      if (reply.kind !== 'heard') return failed(problemOf(reply))
      const told = `${seconds.toFixed(1)} seconds of ${path}`
      return succeeded(reply.text === '' ? '[Nothing was said.]' : reply.text, `Listened to ${told}`)
    },
  })
}

/** Recordings of browsers are sound in a form that mostly holds films. */
function soundTypeOf(path: string): string {
  if (path.endsWith('.webm')) return 'audio/webm'
  return path.endsWith('.flac') ? 'audio/flac' : mediaTypeOf(path)
}
