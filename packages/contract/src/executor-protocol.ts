/**
 * Owns the messages between the gateway and an executor process. The executor runs nothing but a permit, the two
 * programs for speech, which see one text or one recording and touch nothing, and the channels of plugins, as they were let in.
 */
import { z } from 'zod'
import { PictureFile } from './attachments.ts'
import { Resolution } from './effect.ts'
import { InstalledExtensions, ServerName } from './extension.ts'
import { ExecutorId } from './ids.ts'
import { MediaReply, MediaTask, SpeechTask } from './media-task.ts'
import { Permit } from './permit.ts'
import { mostHidden } from './program-view.ts'
import { ServerAsks, ServerReply } from './server-asks.ts'
import { Label } from './trust.ts'

/** A call to look at: the executor says what it would touch, and touches nothing. */
export const ResolveRequest = z.strictObject({ tool: z.string(), args: z.string() })

export const ResolveReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('resolved'), resolution: Resolution }),
  z.strictObject({ kind: z.literal('unavailable'), reason: z.string(), fix: z.string() }),
  z.strictObject({ kind: z.literal('invalid'), reason: z.string() }),
])
export type ResolveReply = z.infer<typeof ResolveReply>

/** A call that a tool needs answered before it can go on. */
const NeededCall = z.strictObject({ tool: z.string(), args: z.string() })

export const ToolResult = z.strictObject({
  ok: z.boolean(),
  /** What the model is told. */
  text: z.string(),
  /** What people are shown in one line. */
  summary: z.string(),
  /** The call that takes this effect back, if there is one. */
  undo: z.strictObject({ tool: z.string(), args: z.string() }).nullable(),
  /** What the content is worth that came with it, where that differs from call to call. */
  label: Label.optional(),
  /** What the call had to do with files beyond those that its permit names; null for what is not known. */
  files: z
    .strictObject({
      /** Folders of the workspace that strangers fill, of which the content tells or may tell. */
      found: z.array(z.string()).max(1_000).nullable(),
      /** What a program changed; a folder stands for all that is in it. */
      changed: z.array(z.string()).max(1_000).nullable(),
      /** What its permit hides and it really did not see. */
      hidden: z.array(z.string()).max(mostHidden).optional(),
    })
    .optional(),
  /** The tool is not done: these calls go through the door first, and it is run again with their results. */
  calls: z.array(NeededCall).optional(),
  /** The tool is done. The product itself makes this call next, through the door; its result is told with this one. */
  next: NeededCall.optional(),
  /** The tool is not done: a reader answers its question first, and the answer is the result. */
  reader: z.literal(true).optional(),
  /** The tool cannot tell whether it was done; the executor answers `unknown` instead of this result. */
  unsure: z.literal(true).optional(),
  /** Files of the workspace that the call wrote and that show what it saw. */
  pictures: z.array(PictureFile).max(4).optional(),
})
export type ToolResult = z.infer<typeof ToolResult>

export const ExecuteReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), startedAt: z.string(), endedAt: z.string(), result: ToolResult }),
  /** Nothing was done: the permit did not hold. */
  z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
  /** It began and its end is not known: the process that began it is gone, or the tool could not see it. */
  z.strictObject({ kind: z.literal('unknown'), startedAt: z.string(), reason: z.string().optional() }),
])
export type ExecuteReply = z.infer<typeof ExecuteReply>

/** Why the channel of a plugin is over. */
export const PluginChannelEnd = z.strictObject({
  /** For a person. */
  reason: z.string().max(2_000),
  /** Starting it again is no use before something changes. */
  final: z.boolean(),
})
export type PluginChannelEnd = z.infer<typeof PluginChannelEnd>

export const ExecutorRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('resolve'), id: z.int(), calls: z.array(ResolveRequest) }),
  /** Sent again after a crash, the same permit returns what is already known instead of running twice. */
  z.strictObject({ type: z.literal('execute'), id: z.int(), permits: z.array(Permit) }),
  /** What a model made of a task that a call under way asked for. */
  z.strictObject({ type: z.literal('worked'), work: z.int(), reply: MediaReply }),
  /** What the operator said to a question of a server, or why nobody did. */
  z.strictObject({ type: z.literal('answered'), question: z.int(), reply: ServerReply }),
  z.strictObject({ type: z.literal('cancel'), nonces: z.array(z.string()) }),
  /** A text to read aloud, or a recording to write down, by the programs of this machine. */
  z.strictObject({ type: z.literal('speech'), id: z.int(), task: SpeechTask }),
  z.strictObject({ type: z.literal('cancel-speech'), id: z.int() }),
  /** Starts the channel of a plugin, as it was let in, in the sandbox. */
  z.strictObject({ type: z.literal('channel'), id: z.int(), plugin: ServerName, launch: z.string() }),
  /** For the channel, base64. */
  z.strictObject({ type: z.literal('channel-piece'), id: z.int(), piece: z.string() }),
  z.strictObject({ type: z.literal('channel-taken'), id: z.int() }),
  z.strictObject({ type: z.literal('channel-stop'), id: z.int() }),
  /** What holds now; a permit made under another policy or an older epoch is refused. */
  z.strictObject({ type: z.literal('world'), policy: z.string(), epoch: z.int() }),
])
export type ExecutorRequest = z.infer<typeof ExecutorRequest>

export const ExecutorMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ready'),
    executor: ExecutorId,
    key: z.string(),
    sandbox: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('available'), name: z.string() }),
      z.strictObject({ kind: z.literal('unavailable'), reason: z.string(), fix: z.string() }),
    ]),
  }),
  /** What was let in from outside, as it is kept now: before `ready`, and after each change. */
  z.strictObject({ type: z.literal('extensions'), extensions: InstalledExtensions }),
  z.strictObject({ type: z.literal('resolved'), id: z.int(), replies: z.array(ResolveReply) }),
  /** A call that is under way has a model work for it; `id` and `index` are those of its permit. */
  z.strictObject({
    type: z.literal('work'),
    id: z.int(),
    index: z.int(),
    work: z.int(),
    task: MediaTask,
  }),
  /** The server of a call that is under way asks the operator; `id` and `index` are those of its permit. */
  z.strictObject({
    type: z.literal('asks'),
    id: z.int(),
    index: z.int(),
    question: z.int(),
    asked: ServerAsks,
  }),
  /** It does not wait for the answer any more. */
  z.strictObject({ type: z.literal('unasked'), id: z.int(), question: z.int() }),
  z.strictObject({ type: z.literal('spoken'), id: z.int(), reply: MediaReply }),
  /** What the channel says, base64. */
  z.strictObject({ type: z.literal('channel-piece'), id: z.int(), piece: z.string() }),
  z.strictObject({ type: z.literal('channel-taken'), id: z.int() }),
  z.strictObject({ type: z.literal('channel-ended'), id: z.int(), end: PluginChannelEnd }),
  z.strictObject({ type: z.literal('executed'), id: z.int(), index: z.int(), reply: ExecuteReply }),
])
export type ExecutorMessage = z.infer<typeof ExecutorMessage>
