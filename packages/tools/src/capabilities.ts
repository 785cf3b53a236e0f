/**
 * The capabilities of a tool. The executor gives these out for one permit, and they reach no further than the
 * resources that the permit names.
 */
import type {
  CalendarAccount,
  FileResource,
  InstalledExtensions,
  InstalledServer,
  InstalledSkill,
  JsonObject,
  JsonValue,
  Label,
  ListedTool,
  MailAccount,
  ProposedSkill,
  SkillServer,
  TreeFile,
  WorkOnMedia,
} from '@countersign/contract'
import type { SkillFiles } from '@countersign/contract/skills'
import type { z } from 'zod'
import type { CodingTaskResult } from './coding/task-result.ts'
import type { ExtensionKind } from './extensions/entry.ts'
import type { HeldSet } from './files/held-set.ts'
import type { FileLocation, FoundCodingAgent, ResolvedPath } from './inspector.ts'
import type { MailArrivals, WantedMail } from './mail/arrivals.ts'
import type { EmailPlace } from './mail/email-id.ts'
import type { MailContent, MailHead } from './mail/mail-content.ts'
import type { KnownMailbox, SearchedMailbox } from './mail/searched-mail.ts'
import type { DnsAnswer, SenderCheck } from './mail/sender-check.ts'
import type {
  EntryChange,
  FetchedEntries,
  PushedEntry,
  ServerCollection,
  SyncedFields,
  SyncWindow,
} from './sync/synced-entry.ts'

export interface ToolCapabilities {
  /** The session on whose behalf the call is made; what stays open between calls, as a browser page, belongs to one. */
  readonly session: string
  readonly files: FileCapabilities
  readonly shell: ShellCapabilities
  readonly web: WebCapabilities
  readonly browser: BrowserCapabilities
  readonly script: ScriptCapabilities
  readonly documents: DocumentCapabilities
  readonly mail: MailCapabilities
  readonly calendarServer: CalendarServerCapabilities
  readonly models: ModelCapabilities
  readonly codingAgents: CodingAgentCapabilities
  readonly extensions: ExtensionCapabilities
  readonly servers: ServerCapabilities
}

/** A server that was let in: the one that the permit names. Started when it is needed, and stopped when it is idle. */
export interface ServerCapabilities {
  /** What it offers now. It is kept for the operator to look at. */
  list(server: string, signal: AbortSignal): Promise<ListedServer | Failure>
  /** A skill that it serves, each file compared with what the server says of it. Nothing of it is kept yet. */
  skill(server: string, wish: SkillWish, signal: AbortSignal): Promise<ServedSkill | Failure>
  /** Fails when what it lists now is not what the permit names. */
  call(call: ServerCall): Promise<ServerAnswer | Failure>
}

export interface SkillWish {
  readonly name: string
  /** Null where the server is asked which one has the name. */
  readonly uri: string | null
}

export interface ServedSkill {
  readonly kind: 'skill'
  readonly uri: string
  readonly files: readonly GivenTreeFile[]
}

export interface ListedServer {
  readonly kind: 'listed'
  readonly tools: readonly ListedTool[]
  /** What it calls itself, in its own words. */
  readonly title: string
}

export interface ServerCall {
  readonly server: string
  readonly tool: string
  /** The hash that was accepted. */
  readonly definition: string
  readonly input: JsonObject
  readonly signal: AbortSignal
}

export type ServerAnswer =
  | {
      readonly kind: 'answered'
      /** The server says that it failed. */
      readonly isError: boolean
      readonly text: string
      readonly truncated: boolean
      readonly notes?: readonly string[]
    }
  /** It was asked and gave no answer, so it may have done it. */
  | {
      readonly kind: 'silent'
      readonly reason: string
      /** What became of its questions to the operator, in our words. */
      readonly notes?: readonly string[]
    }

/** Where the files of an extension are taken from. `kept`: a tree that is there already. */
export type TreeSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'files'; readonly files: readonly GivenTreeFile[] }
  | { readonly kind: 'kept' }

export interface GivenTreeFile {
  readonly path: string
  readonly executable: boolean
  readonly bytes: Uint8Array
}

/** Looks at the files before they count, and at those in whose place they come. Says why not, or nothing. */
export type FilesProblem = (files: SkillFiles, before: SkillFiles | undefined) => string | undefined

/** What was let in from outside. Changes only the entry that the permit names, as long as it is as it was then. */
export interface ExtensionCapabilities {
  installed(): InstalledExtensions
  /** Adds it, or puts it in the place of the one of its name. Its tree must have the hash that it names. */
  putServer(
    server: Omit<InstalledServer, 'addedAt'>,
    from: TreeSource | null,
    problem?: FilesProblem,
  ): Promise<{ readonly kind: 'kept' } | Failure>
  putSkill(
    skill: Omit<InstalledSkill, 'addedAt' | 'files'>,
    from: TreeSource,
    problem?: FilesProblem,
  ): Promise<{ readonly kind: 'kept'; readonly files: readonly TreeFile[] } | Failure>
  /**
   * Keeps what an agent wrote, or what a server served, for the operator to review; nothing else changes by it. Which agent it
   * was, and what it had read, is what the permit says.
   */
  putProposal(
    proposal: Omit<ProposedSkill, 'writtenBy' | 'servedBy' | 'files'>,
    files: readonly GivenTreeFile[],
    /** The server that the permit names, where it was fetched from there. */
    servedBy?: Omit<SkillServer, 'at'>,
  ): Promise<{ readonly kind: 'kept' } | Failure>
  /** Makes the proposal that the permit names a skill that the operator reviewed, in the place of the one of its name. */
  takeProposal(name: string, problem: FilesProblem): Promise<{ readonly kind: 'kept' } | Failure>
  /** With its files and everything that it kept. */
  remove(kind: ExtensionKind, name: string): Promise<{ readonly kind: 'removed' } | Failure>
  /** A file of an extension that the permit names, compared with its hash. */
  readFile(
    kind: ExtensionKind,
    name: string,
    path: string,
  ): Promise<{ readonly kind: 'read'; readonly bytes: Uint8Array } | Failure>
}

/** The operator's own models. What they are given leaves to their provider, as what is shown to any model does. */
export interface ModelCapabilities {
  /** At the cost of the run. */
  readonly work: WorkOnMedia
}

export type Failure = { readonly kind: 'failed'; readonly reason: string }

export interface FileCapabilities {
  locate(path: string): ResolvedPath
  /** Reads the beginning of the file that the permit names. Fails if its content is no longer what was approved. */
  read(
    location: FileLocation,
    maxBytes: number,
  ): Promise<{ readonly kind: 'read'; readonly bytes: Uint8Array; readonly size: number } | Failure>
  list(
    location: FileLocation,
    depth: number,
  ): Promise<
    | { readonly kind: 'listed'; readonly entries: readonly DirectoryEntry[]; readonly truncated: boolean }
    | Failure
  >
  /** What the permit says of the file; nothing if it does not name it. Says nothing about the file as it is. */
  bound(location: FileLocation): FileResource | undefined
  info(location: FileLocation): Promise<{ readonly kind: 'info'; readonly info: FileInfo } | Failure>
  /** Looks through names and contents below a folder that the permit lets be read. */
  search(location: FileLocation, search: FileSearch): Promise<FileMatches | Failure>
  /** The whole content that the operator sent for this call, found by its SHA-256 and compared with it. */
  uploaded(sha256: string): Promise<{ readonly kind: 'uploaded'; readonly bytes: Uint8Array } | Failure>
  /** Forgets it. */
  dropUpload(sha256: string): Promise<void>
  /** Replaces the file in one step, or removes it when `bytes` is null. */
  write(
    location: FileLocation,
    bytes: Uint8Array | null,
    options?: WriteOptions,
  ): Promise<FileWrite | Failure>
  copy(
    from: FileLocation,
    to: FileLocation,
  ): Promise<{ readonly kind: 'copied'; readonly written: FileWrite; readonly sha256: string } | Failure>
  /** Moves a file or a folder to a name that is free. */
  move(from: FileLocation, to: FileLocation): Promise<{ readonly kind: 'moved' } | Failure>
  /** Makes the folder and those above it, and says how many that were. */
  makeFolder(location: FileLocation): Promise<{ readonly kind: 'made'; readonly made: number } | Failure>
  /** Removes an empty folder, and so many folders in all upwards from it as are empty then. */
  removeFolder(location: FileLocation, count: number): Promise<{ readonly kind: 'removed' } | Failure>
  /** Puts into the workspace what a program of the same run changed over a view, all or none. */
  takeHeld(
    held: Pick<HeldSet, 'changes' | 'digest'>,
  ): Promise<{ readonly kind: 'taken'; readonly kept: string | null } | Failure>
  /** Gives back everything that a program changed, all or none. What stood there is kept under another name. */
  restoreKept(kept: string): Promise<{ readonly kind: 'restored'; readonly kept: string | null } | Failure>
}

export interface WriteOptions {
  /** The permissions of a file that is new. */
  readonly mode?: number | null
  /** How many empty folders above a file that is removed go with it. */
  readonly folders?: number
}

export type FileWrite = {
  readonly kind: 'written'
  readonly before: PreviousFile
  /** How many folders were made for it. */
  readonly made: number
}

/** What was there before a write, so that it can be put back. */
export type PreviousFile =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'too-large' }

export interface FileInfo {
  readonly type: 'file' | 'directory'
  readonly size: number
  readonly mode: number
  readonly modified: Date
  readonly created: Date
  readonly sha256: string | null
}

export interface FileSearch {
  readonly query: string
  readonly names: boolean
  readonly contents: boolean
  readonly maxMatches: number
}

export interface FileMatches {
  readonly kind: 'matches'
  readonly matches: readonly {
    readonly path: string
    readonly type: DirectoryEntry['type']
    /** Null where the name matched. */
    readonly line: number | null
    readonly text: string | null
  }[]
  readonly truncated: boolean
  /** Passed over with all that is in it, since strangers wrote it. */
  readonly hidden: readonly { readonly path: string; readonly there: boolean }[]
}

export interface DirectoryEntry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
}

export interface ShellCapabilities {
  /** The words of the program that the permit names, for a tool that finds one; nothing where it names none. */
  bound(): readonly string[] | undefined
  run(command: ShellCommand): Promise<CommandResult | Failure>
}

/** Runs under the sandbox profile of the tool's definition, which the permit binds. */
export interface ShellCommand {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly stdin?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Bound files that an earlier beginning of the same call may have changed; they enter as they are. */
  readonly unsealed?: readonly FileLocation[]
  /** Files as the command writes them; links on the way to bound ones stay as they were. */
  readonly written?: readonly FileLocation[]
  /** What it changes is kept for an undo. */
  readonly undoable?: boolean
  /** The skill whose files it sees at `skillFolder`: the one that the permit names. */
  readonly skill?: string
}

export interface CommandResult {
  readonly kind: 'ran'
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly why: 'timeout' | 'cancelled' }
    /** It ran, but nothing that it wrote was taken over: others changed the same files meanwhile. */
    | { readonly kind: 'changed'; readonly paths: readonly string[] }
    /** It ran, but it changed more than is taken over. */
    | { readonly kind: 'too-much'; readonly why: string }
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
  readonly durationMs: number
  /** The name under which its changes are kept for an undo; null where it changed nothing or nothing is kept. */
  readonly kept: string | null
  /** What it changed over a view and is not in the workspace yet; null where it changed nothing or has no view. */
  readonly held: HeldSet | null
  /** What is there and was hidden from it, since strangers wrote it. */
  readonly hidden: readonly string[]
}

export interface WebCapabilities {
  request(request: WebRequest): Promise<WebResponse | Failure>
}

/** A handle such as `{{secret:name}}` in the address, a header or the body becomes its value on the way out. */
export interface WebRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface WebResponse {
  readonly kind: 'response'
  /** Where the answer came from, after the redirects that the permit allows. */
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
}

/** The deed is over when an element that this finds is seen, or when nobody waits any longer. */
interface AwaitedElement {
  readonly waitFor?: string
}

/** `url` is the page that the call was approved for: what is done on a page fails on any other. */
export type BrowserAction = { readonly url: string } & (
  | ({ readonly action: 'navigate' } & AwaitedElement)
  /** The selector is CSS. */
  | { readonly action: 'text' | 'html'; readonly selector: string | null }
  | { readonly action: 'screenshot'; readonly fullPage: boolean }
  | ({ readonly action: 'click'; readonly selector: string } & AwaitedElement)
  | { readonly action: 'fill'; readonly selector: string; readonly value: string }
  | { readonly action: 'evaluate'; readonly code: string }
)

export interface BrowserCapabilities {
  /** Acts on the page of the session, which runs and reaches the places of this permit only until it resolves. */
  act(action: BrowserAction, timeoutMs: number, signal: AbortSignal): Promise<BrowserResult | Failure>
}

export interface BrowserResult {
  readonly kind: 'seen'
  /** Where the page is now. */
  readonly url: string
  readonly title: string
  /** The status of the answer to a navigation. */
  readonly status: number | null
  readonly text: string
  readonly truncated: boolean
  /** A picture in PNG. */
  readonly image: Uint8Array | null
  /** What the page tried during the call and was refused, in sentences. */
  readonly notes: readonly string[]
  /** What those knew who acted on the page: it may show it again. */
  readonly knows?: Label
}

/** A program for the JavaScript machine. It is run from its beginning each time, with the answers that it got so far. */
export interface Script {
  readonly name: string
  readonly code: string
  readonly input: JsonObject
  readonly journal: readonly ScriptAnswer[]
  /** Secrets without which it is not begun. */
  readonly keys?: readonly string[]
  /** The tools that it is told it may call. */
  readonly tools: readonly string[]
  /** Whether it is given `fetch`. */
  readonly network: boolean
  /** Why it may not call a tool; null if it may. */
  refusal(tool: string): string | null
}

/** What came of a call that the program made before. */
export interface ScriptAnswer {
  /** The hash of the tool and its canonical arguments, so that no other call gets this answer. */
  readonly call: string
  readonly ok: boolean
  readonly text: string
}

export type ScriptResult =
  | { readonly kind: 'returned'; readonly value: JsonValue; readonly log: readonly string[] }
  /** It cannot go on without these. */
  | { readonly kind: 'calls'; readonly calls: readonly { tool: string; args: JsonObject }[] }
  | (Failure & { readonly log?: readonly string[] })

export interface ScriptCapabilities {
  run(script: Script, signal: AbortSignal): Promise<ScriptResult>
}

/** What a program that opens files is asked. Everything that it says comes from the file. */
export type DocumentJob =
  | {
      readonly program: 'pdf'
      readonly op: 'read'
      readonly pages: string
      readonly maxCharacters: number
    }
  | { readonly program: 'pdf'; readonly op: 'info' }
  | {
      readonly program: 'pdf-writer'
      readonly op: 'make'
      readonly content: string
      readonly format: 'text' | 'markdown'
      readonly title: string | null
      readonly author: string | null
      readonly pageSize: 'A4' | 'Letter' | 'Legal'
    }
  | {
      readonly program: 'image'
      readonly op: 'resize'
      readonly width: number
      readonly height: number
      readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
      readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif'
      readonly quality: number
    }
  | {
      readonly program: 'office'
      readonly op: 'read'
      /** `all`, or numbers and ranges of sheets or slides. */
      readonly parts: string
      /** Characters that are left out before. */
      readonly offset: number
      readonly maxCharacters: number
    }
  | { readonly program: 'mail-sender'; readonly op: 'sender'; readonly answers: readonly DnsAnswer[] }
  /** What a calendar server says of its collections and entries, in XML. */
  | { readonly program: 'calendar'; readonly op: 'answer' }
  | { readonly program: 'calendar'; readonly op: 'entries'; readonly window: SyncWindow }
  | {
      readonly program: 'calendar'
      /** Of the entry as the server has it; of nothing, it is made. */
      readonly op: 'change'
      readonly kind: 'event' | 'contact'
      readonly uid: string
      readonly recurrence: string
      readonly remove: boolean
      readonly set: SyncedFields
      readonly unset: readonly string[]
      /** When it is changed. */
      readonly at: string
    }
  | { readonly program: 'mail'; readonly op: 'heads'; readonly lengths: readonly number[] }
  | { readonly program: 'mail'; readonly op: 'read'; readonly maxCharacters: number }
  | { readonly program: 'mail'; readonly op: 'attachment'; readonly number: number }
  | {
      readonly program: 'image'
      /** Drawn anew without what is hidden in it, in its shape and no longer than `most` at its longer side. */
      readonly op: 'redraw'
      readonly most: number
      readonly format: 'jpeg' | 'png' | 'webp'
    }
  | { readonly program: 'audio'; readonly op: 'info' }
  | {
      readonly program: 'audio'
      readonly op: 'split'
      /** Seconds from the beginning, rising. */
      readonly points: readonly number[]
      /** How the names of the parts end. */
      readonly ending: string
    }

export interface DocumentCapabilities {
  /** Gives the file that the permit names, or bytes that came with the call, to a program that sees nothing else; none where one is made. */
  run<Facts>(
    question: DocumentQuestion<Facts>,
    from: FileLocation | Uint8Array | null,
    signal: AbortSignal,
  ): Promise<DocumentResult<Facts> | Failure>
}

export interface DocumentQuestion<Facts> {
  readonly job: DocumentJob
  /** What the program says is taken only in this form. */
  readonly form: z.ZodType<Facts>
}

export interface DocumentResult<Facts> {
  readonly kind: 'done'
  readonly facts: Facts
  readonly files: readonly Uint8Array[]
}

/** Reaches the one server of the account. What it reads was parsed in the sandbox. */
export interface CalendarServerCapabilities {
  list(
    account: CalendarAccount,
    known: readonly { readonly href: string; readonly token: string }[],
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'listed'; readonly collections: readonly ServerCollection[] } | Failure>
  fetch(
    account: CalendarAccount,
    wanted: WantedEntries,
    signal: AbortSignal,
  ): Promise<({ readonly kind: 'fetched' } & FetchedEntries) | Failure>
  /** Each on the state that it names, and told one by one. */
  push(
    account: CalendarAccount,
    changes: readonly EntryChange[],
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'pushed'; readonly changes: readonly PushedEntry[] } | Failure>
}

export interface WantedEntries {
  readonly collection: string
  readonly kind: 'event' | 'contact'
  readonly hrefs: readonly string[]
  readonly window: SyncWindow
}

/** Reaches the servers of the account, as far as the permit names them. What it reads was parsed in the sandbox. */
export interface MailCapabilities {
  list(
    account: MailAccount,
    listing: MailListing,
    signal: AbortSignal,
  ): Promise<
    { readonly kind: 'listed'; readonly total: number; readonly mails: readonly ListedMail[] } | Failure
  >
  /** What came into a folder since it was looked at last, the oldest first. */
  arrived(
    account: MailAccount,
    wanted: WantedMail,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'looked'; readonly arrivals: MailArrivals } | Failure>
  /** What the folders hold that the search by meaning does not know yet, a few at a time, and what is gone from them. */
  searched(
    account: MailAccount,
    known: KnownMailbox | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'searched'; readonly searched: SearchedMailbox } | Failure>
  read(
    account: MailAccount,
    place: EmailPlace,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'read'; readonly mail: MailContent; readonly sender: SenderCheck } | Failure>
  /** One of the files that came with it, by its number. Whoever wrote the e-mail wrote the file. */
  attachment(
    account: MailAccount,
    place: EmailPlace,
    number: number,
    signal: AbortSignal,
  ): Promise<MailFile | Failure>
  /** Sends it, and files it once in the folder of what was sent. */
  send(
    account: MailAccount,
    mail: OutgoingMail,
    signal: AbortSignal,
  ): Promise<MailSent | MailUnsure | Failure>
  /** What came of a sending whose end nobody saw; nothing where that cannot be known. */
  sent(account: MailAccount): Promise<MailSent | Failure | undefined>
  /** Puts it into the folder of drafts. */
  draft(
    account: MailAccount,
    mail: OutgoingMail,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'kept'; readonly place: EmailPlace } | Failure>
  /** To a folder by its name, or to the one for what is thrown away. */
  move(
    account: MailAccount,
    place: EmailPlace,
    to: { readonly folder: string } | 'trash',
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'moved'; readonly place: EmailPlace } | Failure>
  /** Signs in at both servers, and changes nothing. */
  check(
    account: MailAccount,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'checked'; readonly folders: readonly string[] } | Failure>
}

export interface MailListing {
  readonly folder: string
  readonly limit: number
  readonly unreadOnly: boolean
  /** Left out, all are listed. */
  readonly search?: {
    readonly words?: string
    readonly from?: string
    readonly to?: string
    readonly subject?: string
    /** Days, as 2026-03-01. */
    readonly since?: string
    readonly before?: string
  }
}

export interface MailFile {
  readonly kind: 'file'
  readonly name: string
  readonly bytes: Uint8Array
  readonly sender: SenderCheck
}

export interface ListedMail extends MailHead {
  readonly place: EmailPlace
  readonly unread: boolean
  readonly answered: boolean
  readonly size: number
  /** When the server took it in. */
  readonly received: string
  /** As an earlier reading found it; null where there was none. */
  readonly sender: SenderCheck | null
}

export interface OutgoingMail {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly body: string
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly attachments: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

export interface MailSent {
  readonly kind: 'sent'
  readonly messageId: string
  /** Recipients that the server did not take. */
  readonly refused: readonly string[]
  /** Why it is not among what was sent; null where it is. */
  readonly unfiled: string | null
}

/** The server had it, and nobody knows whether it took it. */
export interface MailUnsure {
  readonly kind: 'unsure'
  readonly reason: string
}

export interface CodingAgentCapabilities {
  names(): readonly string[]
  find(name: string): Promise<FoundCodingAgent | undefined>
  /** Gives the task to the agent that the permit names. What it changes is held. */
  run(task: CodingAgentTask): Promise<CodingAgentWork | Failure>
  /** Gives the id under which it is kept. */
  keep(result: Omit<CodingTaskResult, 'id' | 'at'>): Promise<string>
  result(id: string): Promise<CodingTaskResult | undefined>
  /** The newest first. */
  results(limit: number): Promise<readonly CodingTaskResult[]>
}

export interface CodingAgentTask {
  readonly name: string
  readonly prompt: string
  readonly cwd: string
  /** Besides what every program in the sandbox has. */
  readonly environment: Readonly<Record<string, string>>
  readonly maxTurns: number
  readonly maxBudgetUsd: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface CodingAgentWork {
  readonly kind: 'worked'
  readonly end:
    | { readonly kind: 'ended'; readonly reason: string }
    | {
        readonly kind: 'stopped'
        readonly why: 'turns' | 'budget' | 'timeout' | 'cancelled' | 'flood'
      }
    | { readonly kind: 'failed'; readonly reason: string }
  /** Its own words. */
  readonly text: string
  readonly steps: readonly string[]
  readonly permissions: { readonly allowed: number; readonly refused: number }
  /** What it asked of the network and was refused. */
  readonly refused: readonly string[]
  readonly turns: number
  readonly tokens: { readonly input: number; readonly output: number }
  /** Null where no prices are known. */
  readonly costUsd: number | null
  readonly durationMs: number
  /** The end of what it wrote to standard error. */
  readonly complaint: string
  readonly outcome: CommandResult
}
