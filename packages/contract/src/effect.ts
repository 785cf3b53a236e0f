/** Owns what a call can touch: its resources, resolved to an identity that can be compared again later. */
import { z } from 'zod'
import { ExecutorId, NodeId } from './ids.ts'
import { NodeCapability } from './node-capability.ts'
import { ProgramView } from './program-view.ts'
import { Tier } from './trust.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

export const FileResource = z.strictObject({
  type: z.literal('file'),
  /** The workspace, or the host outside it. */
  root: z.enum(['workspace', 'host']),
  path: z.string(),
  op: z.enum(['read', 'list', 'write', 'delete']),
  identity: z.union([z.literal('absent'), z.strictObject({ device: z.string(), inode: z.string() })]),
  /** The content that the decision was made on; null where content does not matter (a listing). */
  content: Hash.nullable(),
  /** Of what is changed: the nearest folder above it that holds `.git`, where one does. */
  repository: z.string().exactOptional(),
})

/** A look changes nothing of what it is at. */
export function isLook(op: z.infer<typeof FileResource>['op']): op is 'read' | 'list' {
  return op === 'read' || op === 'list'
}

export const UrlResource = z.strictObject({
  type: z.literal('url'),
  scheme: z.enum(['http', 'https']),
  host: z.string(),
  port: z.int(),
  method: z.string(),
  addressClass: z.enum(['name', 'public', 'private', 'loopback', 'link-local', 'other']),
  /** `same-host`: the request may be led on, but to no other host and never from https to http. */
  redirects: z.enum(['refused', 'same-host']),
  /** `address`: nothing goes along but the address. `more`: headers, a body, or what a page sends. */
  carries: z.enum(['address', 'more']),
})

export const ExecResource = z.strictObject({
  type: z.literal('exec'),
  path: z.string(),
  content: Hash,
  argv: z.array(z.string()),
  cwd: z.string(),
  environment: Hash,
  /** True where a shell or an interpreter reads the argument, so what it does cannot be listed. */
  uninspectable: z.boolean(),
  /**
   * It runs without network over a view: what it changes is held, and counts when it is taken over, which is judged.
   * Null where it works on the workspace itself.
   */
  view: ProgramView.nullable(),
})

export const PeerResource = z.strictObject({
  type: z.literal('peer'),
  channel: z.string(),
  account: z.string(),
  peer: z.string(),
})

/** What a call touches on another computer, as that computer itself found it. */
export const NodeResource = z.strictObject({
  type: z.literal('node'),
  node: NodeId,
  /** The executor there, for which the permit is made, and the fingerprint of its key. */
  executor: ExecutorId,
  key: Hash,
  /** What the operator calls it. */
  name: z.string(),
  capability: NodeCapability,
  op: z.enum(['read', 'list', 'write', 'delete', 'run', 'show']),
  /** A path in the folder that it shares, a program with its arguments, or an address; empty for a screen or the like. */
  object: z.string(),
  /** The hash of what the decision was made on; null where there is nothing to change meanwhile. */
  content: Hash.nullable(),
})

/** A record that Countersign keeps for the operator: a task, a note, a row of a table of their own. */
export const RecordResource = z.strictObject({
  type: z.literal('record'),
  collection: z.string(),
  /** `*` for a listing. */
  id: z.string(),
  op: z.enum(['read', 'list', 'write', 'delete']),
  /** The version that the decision was made on; null where the record is new or does not matter. */
  version: z.int().nullable(),
  /** What a record that is changed is called. */
  title: z.string().exactOptional(),
  /** The server that it is a copy from, of what is kept elsewhere. */
  server: z.string().exactOptional(),
})

/** Something that was let in from outside, as the executor keeps it. */
export const ExtensionResource = z.strictObject({
  type: z.literal('extension'),
  /** A proposal is a skill that an agent wrote and that waits for the operator. */
  kind: z.enum(['server', 'plugin', 'skill', 'proposal']),
  name: z.string(),
  /** `use` runs something of it or reads it, and changes nothing of what is kept. */
  op: z.enum(['use', 'add', 'change', 'remove']),
  /** The hash of its entry as it is kept now; null where there is none. */
  entry: Hash.nullable(),
  /** A skill is used that the operator has not reviewed: its words are a stranger’s. */
  unreviewed: z.literal(true).exactOptional(),
})

/** A tool of a server, as the operator accepted it. */
export const ServerToolResource = z.strictObject({
  type: z.literal('server-tool'),
  server: z.string(),
  /** The hash of how the server is started or reached. */
  launch: Hash,
  tool: z.string(),
  /** The hash of the definition that was accepted. */
  definition: Hash,
  /** The tier that was accepted with it: no call of it counts for less. */
  tier: Tier,
  /** The server is elsewhere or may reach hosts, so what it is given can leave. */
  reaches: z.boolean(),
})

export const Resource = z.discriminatedUnion('type', [
  FileResource,
  UrlResource,
  ExecResource,
  RecordResource,
  PeerResource,
  NodeResource,
  ExtensionResource,
  ServerToolResource,
])
export type FileResource = z.infer<typeof FileResource>
export type UrlResource = z.infer<typeof UrlResource>
export type ExecResource = z.infer<typeof ExecResource>
export type NodeResource = z.infer<typeof NodeResource>
export type ExtensionResource = z.infer<typeof ExtensionResource>
export type ServerToolResource = z.infer<typeof ServerToolResource>
export type RecordResource = z.infer<typeof RecordResource>
export type Resource = z.infer<typeof Resource>

/** One thing that a call does to the world, in words that policy and the card share. */
export const Effect = z.strictObject({
  verb: z.enum(['read', 'list', 'write', 'delete', 'fetch', 'send', 'execute', 'spend', 'ask', 'authority']),
  object: z.string(),
  /**
   * Inside what the operator gave to the agent, or across its boundary. `host-run` lies inside, but a program of the
   * host runs it when the operator starts that program there. `opened` lies inside, but other users of this machine get
   * at what they could not get at before.
   */
  scope: z.enum(['inside', 'opened', 'host-run', 'boundary']),
  reversible: z.boolean(),
  /** Somebody other than the operator can see it. */
  outward: z.boolean(),
  /** What leaves this machine, in words; empty when nothing does. */
  leaves: z.array(z.string()),
})
export type Effect = z.infer<typeof Effect>

/** What an executor found when it looked at a call: never a promise, always looked at again before the effect. */
export const Resolution = z.strictObject({
  resources: z.array(Resource),
  effects: z.array(Effect),
  sandbox: z.string(),
  egress: z.string(),
  /** Names of the secrets that would be put in on the way out. */
  secrets: z.array(z.string()),
})
export type Resolution = z.infer<typeof Resolution>
