/**
 * Owns how pictures of a provider come into the workspace: each is drawn anew in the sandbox, so that it is a picture and
 * nothing besides, and written at a path that the permit named before anybody was asked.
 */
import { Buffer } from 'node:buffer'
import type { Effect, MediaReply, MediaTask, Resource, ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import { openDocument } from '../documents/document-file.ts'
import { endingOf, planFile, stemOf } from '../documents/made-file.ts'
import { toldEffects } from '../files/file-effects.ts'
import { filesUndo, type WrittenFile } from '../files/restore-files.ts'
import type { Inspector } from '../inspector.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'

const formats = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' } as const
const largestSide = 7_000
/** More is made smaller by those who take it. */
const sentSide = 1_536
const Facts = z.object({ width: z.int().min(1), height: z.int().min(1) })

export const pictureSize = z.enum([
  '256x256',
  '512x512',
  '1024x1024',
  '1024x1536',
  '1536x1024',
  '1792x1024',
  '1024x1792',
])

/** The fields of every tool that has pictures made. */
export const picturesInput = {
  size: pictureSize.exactOptional(),
  n: z.int().min(1).max(4).default(1),
  outputPath: pathText
    .refine((path) => formatOf(path) !== undefined, `must end in one of ${Object.keys(formats).join(', ')}`)
    .exactOptional(),
  overwrite: z.boolean().default(false),
}

/** The names are known beforehand, so that the permit can bind them. */
export function picturePaths(path: string, count: number): string[] {
  if (count === 1) return [path]
  return Array.from({ length: count }, (_, index) => `${stemOf(path)}-${index + 1}.${endingOf(path)}`)
}

/** Of a picture that others are made from. */
export interface PictureWish {
  readonly image: string
  readonly n: number
  readonly outputPath?: string
}

/** Where nobody says where, beside it and named after it. */
export function pathsBeside({ image, n, outputPath }: PictureWish, suffix: string): string[] {
  return picturePaths(outputPath ?? `${stemOf(image)}-${suffix}.png`, n)
}

export async function planPictures(
  paths: readonly string[],
  overwrite: boolean,
  inspect: Inspector,
): Promise<EffectsResult> {
  const resources: Resource[] = []
  const effects: Effect[] = []
  for (const path of paths) {
    const planned = await planFile(path, overwrite, inspect)
    if (planned.kind !== 'found') return planned
    resources.push(planned.resource)
    effects.push(planned.effect)
  }
  return { kind: 'found', resources, effects: toldEffects(effects, effects.length) }
}

/** A picture of the workspace as a provider is given it: its pixels alone, without the place and the camera. */
export async function pictureFor(
  capabilities: Pick<ToolCapabilities, 'files' | 'documents'>,
  { path, format, most = sentSide }: { path: string; format: 'png' | 'jpeg'; most?: number },
  signal: AbortSignal,
): Promise<{ readonly mediaType: string; readonly base64: string } | { readonly reason: string }> {
  const job = { program: 'image', op: 'redraw', most, format } as const
  const opened = await openDocument(capabilities, { path, job, form: Facts }, signal)
  if (opened.kind === 'failed') return { reason: opened.reason }
  const [bytes] = opened.files
  if (!bytes) return { reason: 'The program made no picture.' }
  return { mediaType: `image/${format}`, base64: Buffer.from(bytes).toString('base64') }
}

/** Has the pictures made and puts them in their places. */
export async function makePictures(
  capabilities: ToolCapabilities,
  task: MediaTask,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ToolResult> {
  const reply = await capabilities.models.work(task)
  if (reply.kind !== 'made') return failed(problemOf(reply))
  const written: WrittenFile[] = []
  const lines: string[] = []
  for (const [index, { base64 }] of reply.files.slice(0, paths.length).entries()) {
    const path = paths[index] ?? ''
    const kept = await keepPicture(capabilities, path, Buffer.from(base64, 'base64'), signal)
    if ('reason' in kept) return failed(kept.reason, written.length > 0 ? filesUndo(written) : undefined)
    written.push(kept.file)
    lines.push(kept.line)
  }
  const fewer = reply.files.length < paths.length ? `\n${reply.model} made no more of them.` : ''
  return succeeded(
    `${lines.join('\n')}\nMade by ${reply.model}.${fewer}`,
    `Made ${lines.join(', ')}`,
    filesUndo(written),
  )
}

async function keepPicture(
  { files, documents }: ToolCapabilities,
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<{ readonly file: WrittenFile; readonly line: string } | { readonly reason: string }> {
  const format = formatOf(path) ?? 'png'
  const job = { program: 'image', op: 'redraw', most: largestSide, format } as const
  const drawn = await documents.run({ job, form: Facts }, bytes, signal)
  if (drawn.kind === 'failed') return { reason: `What the provider sent for ${path}: ${drawn.reason}` }
  const [picture] = drawn.files
  const location = files.locate(path)
  if (!picture) return { reason: 'The program made no picture.' }
  if (location.root === 'nowhere') return { reason: location.reason }
  const outcome = await files.write(location, picture)
  if (outcome.kind === 'failed') return { reason: outcome.reason }
  const { width, height } = drawn.facts
  return {
    file: { path, present: sha256Hex(picture), outcome },
    line: `${path} (${width} × ${height}, ${sizeOf(picture.length)})`,
  }
}

export function problemOf(reply: MediaReply): string {
  return reply.kind === 'failed' ? reply.reason : 'The model gave an answer of another kind.'
}

function formatOf(path: string): 'png' | 'jpeg' | 'webp' | undefined {
  const ending = endingOf(path)
  return Object.entries(formats).find(([name]) => name === ending)?.[1]
}
