/**
 * Owns what was let in from outside: servers of the Model Context Protocol, plugins and skills. The executor keeps it and tells the
 * gateway of it; the words in it are a stranger's unless it says otherwise.
 */
import { z } from 'zod'
import { RunId } from './ids.ts'
import type { JsonObject } from './json/value.ts'
import { PluginChannel } from './plugin-channel.ts'
import { secretName } from './secret.ts'
import { isForAddress, isServerOAuthSecret, ServerOAuth } from './server-oauth.ts'
import { Label, Tier } from './trust.ts'
import { isWrittenAsRead, writtenOtherwise } from './written-address.ts'

/** It only ever comes out of JSON; a schema of all JSON would have no end where it is described. */
const JsonRecord = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Lower case words with a hyphen between two. */
export const extensionName = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const SkillName = z.string().max(64).regex(extensionName, 'lower case words with a hyphen between two')
/** Short, because it stands before the name of each of its tools. */
export const ServerName = z
  .string()
  .max(24)
  .regex(/^[a-z]/, 'a letter first')
  .regex(extensionName, 'lower case words with a hyphen between two')

/** The raw 32 bytes of an Ed25519 key, base64. */
export const PublisherKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

/** One file of a tree. The hash of the tree covers each of these fields. */
export const TreeFile = z.strictObject({
  /** From the root of the tree, with slashes. */
  path: z.string().min(1).max(1024),
  size: z.int().min(0),
  sha256: Hash,
  executable: z.boolean(),
})
export type TreeFile = z.infer<typeof TreeFile>

export const mostTreeFiles = 30_000
export const mostTreeBytes = 512 * 1024 * 1024
export const largestTreeFile = 128 * 1024 * 1024

/** A folder that a server may use. */
export const ServerFolder = z.strictObject({
  /** In the workspace; `.` is all of it. */
  path: z.string().min(1).max(1024),
  /** Without it, it is read only. */
  write: z.boolean(),
})
export type ServerFolder = z.infer<typeof ServerFolder>

/** Where something can be asked for over the network. */
export const ServerHost = z.strictObject({
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535),
})
export type ServerHost = z.infer<typeof ServerHost>

/** What a sign-in left is shown to whoever gives tokens, and given to no server as it is. */
const GivenSecret = z
  .string()
  .regex(secretName)
  .refine((name) => !isServerOAuthSecret(name), 'what a sign-in left, which is not for a server')

const variable = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** A program in the sandbox, with what is named here and nothing else. */
export const StdioLaunch = z
  .strictObject({
    kind: z.literal('stdio'),
    /** The program and its words. `/extension` is the tree, `/data` its own folder, `/workspace/…` a folder that is named. */
    argv: z.array(z.string().min(1).max(4096)).min(1).max(50),
    /** The hash of the files that are at `/extension`; null where it needs none. */
    tree: Hash.nullable(),
    /** What the files are called where they come from; only words. */
    package: z
      .strictObject({
        name: z.string().min(1).max(214),
        version: z.string().min(1).max(64),
        /** As the registry has it, and as it was checked when it was fetched. */
        integrity: z
          .string()
          .regex(/^sha512-[A-Za-z0-9+/]{86}==$/)
          .exactOptional(),
      })
      .nullable(),
    environment: z.record(z.string().regex(variable), z.string().max(4096)),
    folders: z.array(ServerFolder).max(10),
    hosts: z.array(ServerHost).max(20),
    /** By the variable that holds its value inside: the name of a secret. */
    secrets: z.record(z.string().regex(variable), GivenSecret),
    /** It keeps files of its own at `/data`, until it is removed. */
    data: z.boolean(),
    /** Its programs speak with each other over local sockets, as a browser does. */
    sockets: z.literal(true).exactOptional(),
  })
  .refine(({ sockets, folders }) => sockets === undefined || folders.length === 0, {
    path: ['sockets'],
    message: 'local sockets beside a folder of the workspace, where one of somebody else could lie',
  })
export type StdioLaunch = z.infer<typeof StdioLaunch>
/** What a program has where nothing is named for it. */
export const nothingGiven: Pick<StdioLaunch, 'environment' | 'folders' | 'hosts' | 'secrets' | 'data'> = {
  environment: {},
  folders: [],
  hosts: [],
  secrets: {},
  data: false,
}

/** A server elsewhere, reached by the executor's own client. */
export const HttpLaunch = z
  .strictObject({
    kind: z.literal('http'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .refine(isWrittenAsRead, writtenOtherwise),
    /** The name of the secret that is sent as bearer token. */
    secret: GivenSecret.nullable(),
    /** Where the operator signs in instead, as it was found and accepted. */
    oauth: ServerOAuth.exactOptional(),
  })
  .refine(({ secret, oauth }) => secret === null || oauth === undefined, {
    path: ['oauth'],
    message: 'a sign-in beside a secret',
  })
  .refine(({ url, oauth }) => oauth === undefined || isForAddress(oauth.resource, url), {
    path: ['oauth', 'resource'],
    message: 'tokens for another server',
  })
export type HttpLaunch = z.infer<typeof HttpLaunch>

/** The version of what a plugin and the product say to each other. Another one is refused. */
export const pluginApi = 1
const words = (most: number) => z.string().trim().min(1).max(most)

/** What a plugin says of itself beside its tools and the hosts that it asks for. */
export const PluginHead = z.strictObject({
  api: z.literal(pluginApi, `this Countersign runs plugins of the api ${pluginApi}`),
  name: ServerName,
  version: z
    .string()
    .max(64)
    .regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/, 'a version such as 1.0.0'),
  description: words(1_000),
  author: words(200),
  /** The file that is run, from the root of its folder. */
  main: z
    .string()
    .max(200)
    .regex(/^[\w-]+(?:[./][\w-]+)*\.(?:ts|mts|js|mjs)$/, 'a path of a .ts or .js file in its folder'),
  /** What it asks for, by the variable that holds the value inside: what it is for. */
  secrets: z.record(z.string().regex(variable), words(500)).default({}),
  /** It asks for a folder of its own. */
  data: z.boolean().default(false),
  /** Words for the prompt of agents. They stand there only after the operator has reviewed them. */
  sections: z
    .array(z.strictObject({ title: words(60).regex(/^[^\r\n]+$/, 'one line'), text: words(1_500) }))
    .max(3)
    .default([]),
  /** It is a channel too. */
  channel: PluginChannel.exactOptional(),
})
export type PluginHead = z.infer<typeof PluginHead>

export const mostPluginFiles = 500

/** A program in the sandbox that our own runner loads. It lists what its manifest said, or it is stopped. */
export const PluginLaunch = z.strictObject({
  kind: z.literal('plugin'),
  manifest: PluginHead,
  tree: Hash,
  files: z.array(TreeFile).max(mostPluginFiles),
  /** Where it comes from, in words. */
  source: z.string().max(1_000),
  // What it was given of what it asked for.
  folders: StdioLaunch.shape.folders,
  hosts: StdioLaunch.shape.hosts,
  secrets: StdioLaunch.shape.secrets,
  data: z.boolean(),
})
export type PluginLaunch = z.infer<typeof PluginLaunch>

export const ServerLaunch = z.discriminatedUnion('kind', [StdioLaunch, HttpLaunch, PluginLaunch])
export type ServerLaunch = z.infer<typeof ServerLaunch>

export const mostServerTools = 200
/** Of one definition, as canonical JSON. */
export const longestToolDefinition = 32_000

/** What a server says of a tool. Its hash is that of its canonical JSON, and it is a stranger's words. */
export const ListedTool = z.strictObject({
  name: z.string().min(1).max(128),
  title: z.string().max(500).nullable(),
  description: z.string().max(20_000),
  /** A JSON Schema. */
  input: JsonRecord,
  output: JsonRecord.nullable(),
  annotations: JsonRecord,
})
export type ListedTool = z.infer<typeof ListedTool>

/** Calls in which an argument has only these values, and what they count for instead. The first case that fits counts. */
export const TierCase = z.strictObject({
  argument: z.string().min(1).max(128),
  values: z.array(z.string().max(200)).min(1).max(50),
  tier: Tier,
})
export type TierCase = z.infer<typeof TierCase>

/** A tool as the operator accepted it. */
export const AcceptedTool = z.strictObject({
  listed: ListedTool,
  definition: Hash,
  /** No call of it counts for less, save in the cases. */
  tier: Tier,
  cases: z.array(TierCase).max(20),
  /** The tool of the server that takes its effect back, with the same arguments. */
  undo: z.string().max(128).nullable(),
})
export type AcceptedTool = z.infer<typeof AcceptedTool>

/** Tiers that are tried on the calls that were made. */
export const TryTiers = z.strictObject({
  days: z.int().min(1).max(365),
  tools: z
    .array(
      z.strictObject({
        tool: AcceptedTool.shape.listed.shape.name,
        tier: Tier,
        cases: AcceptedTool.shape.cases.default([]),
      }),
    )
    .min(1)
    .max(mostServerTools),
})
export type TryTiers = z.input<typeof TryTiers>

/** How many calls ran unasked, asked, and were refused. */
const DecisionCounts = z.strictObject({ allow: z.int(), ask: z.int(), deny: z.int() })

export const TiersTried = z.strictObject({
  since: z.string(),
  /** In the order in which they were named. */
  tools: z.array(
    z.strictObject({ tool: z.string(), calls: z.int(), before: DecisionCounts, after: DecisionCounts }),
  ),
})
export type TiersTried = z.infer<typeof TiersTried>

export const InstalledServer = z.strictObject({
  name: ServerName,
  launch: ServerLaunch,
  /** Of `launch`, as canonical JSON. */
  launchHash: Hash,
  tools: z.array(AcceptedTool).max(mostServerTools),
  /**
   * What it listed last that is not what was accepted: a tool that is new, or has changed. One that has changed stops until
   * the difference is accepted.
   */
  offered: z.array(ListedTool).max(mostServerTools),
  /** Names of accepted tools that it listed no more. */
  gone: z.array(z.string()).max(mostServerTools),
  /** Of a plugin: when it began as a channel, it said that it is something else than its manifest says. */
  strayed: z.literal(true).exactOptional(),
  /** When it was last asked for its tools; null where it never was. */
  listedAt: z.string().nullable(),
  /** Its tools are offered to nobody, and it is not started. */
  paused: z.boolean(),
  /** How it is started stays as it is until the operator lets it go. */
  pinned: z.literal(true).exactOptional(),
  /** Of a plugin: the operator read its words for the prompt, and they are theirs. */
  reviewed: z.literal(true).exactOptional(),
  addedAt: z.string(),
})
export type InstalledServer = z.infer<typeof InstalledServer>

/** A plugin is called, held and watched as a server is. */
export function kindOf({ launch }: { readonly launch: Pick<ServerLaunch, 'kind'> }): 'server' | 'plugin' {
  return launch.kind === 'plugin' ? 'plugin' : 'server'
}

/** It showed itself to be something else than its manifest says, so all of it is stopped until it is updated or removed. */
export function isStrayed(server: Pick<InstalledServer, 'launch' | 'offered' | 'gone' | 'strayed'>): boolean {
  return (
    kindOf(server) === 'plugin' && (server.strayed === true || server.offered.length + server.gone.length > 0)
  )
}

export const mostSkillFiles = 500
/** What it says, beside its other files. */
export const skillFile = 'SKILL.md'

/** Which agent wrote a skill, as the executor knows it from the permit, and what it had read by then. */
export const SkillAuthor = z.strictObject({
  agent: z.string().max(200),
  run: RunId,
  label: Label,
  at: z.string(),
})
export type SkillAuthor = z.infer<typeof SkillAuthor>

/** Which server served a skill, and by which address there. Both together say which skill it is. */
export const SkillServer = z.strictObject({
  server: ServerName,
  uri: z.string().max(2000),
  at: z.string(),
})
export type SkillServer = z.infer<typeof SkillServer>

export const InstalledSkill = z.strictObject({
  name: SkillName,
  description: z.string().max(1024),
  tree: Hash,
  files: z.array(TreeFile).max(mostSkillFiles),
  /** Where it comes from, in words. */
  source: z.string().max(1000),
  /** The Ed25519 key that signed its files: the raw 32 bytes, base64. */
  publisher: PublisherKey.exactOptional(),
  /** An agent wrote it, and the operator reviewed it before it counted. */
  writtenBy: SkillAuthor.exactOptional(),
  /** A server served it, and the operator reviewed it before it counted. */
  servedBy: SkillServer.exactOptional(),
  /** The operator read it: its words are theirs. Otherwise they are a stranger's. */
  reviewed: z.boolean(),
  enabled: z.boolean(),
  /** Null where it does not say. */
  allowedTools: z.array(z.string().max(200)).max(200).nullable(),
  /** Its files stay as they are until the operator lets it go. */
  pinned: z.literal(true).exactOptional(),
  addedAt: z.string(),
})
export type InstalledSkill = z.infer<typeof InstalledSkill>

/**
 * What an agent wrote down as a skill, or what was fetched from a server. It waits for the operator: no agent is told of it, can
 * read it, or can run it, and what has its name meanwhile stays as it is.
 */
export const ProposedSkill = z.strictObject({
  ...InstalledSkill.pick({ name: true, description: true, tree: true, files: true, allowedTools: true })
    .shape,
  /** One of both is there. */
  writtenBy: SkillAuthor.exactOptional(),
  servedBy: SkillServer.exactOptional(),
})
export type ProposedSkill = z.infer<typeof ProposedSkill>

/** So many wait at once. A list that nobody reads to its end is reviewed by nobody. */
export const mostProposals = 10

export const mostServers = 100
export const mostSkills = 200

export const InstalledExtensions = z.strictObject({
  servers: z.array(InstalledServer).max(mostServers),
  skills: z.array(InstalledSkill).max(mostSkills),
  proposals: z.array(ProposedSkill).max(mostProposals),
})
export type InstalledExtensions = z.infer<typeof InstalledExtensions>

export const noExtensions: InstalledExtensions = { servers: [], skills: [], proposals: [] }
