/**
 * Owns what a tool may see while its effects are being listed. A look changes nothing, and the same world gives the
 * same answer, because the executor looks again just before it acts and compares.
 */
import type {
  CodingAgent,
  ExecResource,
  FileResource,
  InstalledExtensions,
  MailServer,
  UrlResource,
} from '@countersign/contract'
import type { HeldSet } from './files/held-set.ts'

/** Where a path leads: into the workspace, or to the host outside it. */
export type ResolvedPath =
  | { readonly root: 'workspace' | 'host'; readonly path: string }
  | { readonly root: 'nowhere'; readonly reason: string }

export type FileLocation = Extract<ResolvedPath, { path: string }>

export type FileInspection =
  | (InspectedPath & { readonly kind: 'absent' })
  | (InspectedPath & {
      readonly kind: 'file'
      readonly identity: FileIdentity
      readonly content: string
      readonly size: number
    })
  | (InspectedPath & { readonly kind: 'directory'; readonly identity: FileIdentity })
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export type FileIdentity = Exclude<FileResource['identity'], 'absent'>

interface InspectedPath {
  /** Where it really is, by the kernel's word: differs from the path that was asked for where a link is on the way. */
  readonly path: string
  /** A folder above it in the workspace holds something called `HEAD`, as the folder of a git repository does. */
  readonly besideHead: boolean
  /** The nearest folder above it that holds `.git`; null where none does. */
  readonly repository: string | null
}

/** A file outside the workspace. Whether there is one is for the operator to know first, so it has no kind. */
export type HostFileInspection =
  | {
      readonly kind: 'host'
      /** Where the path leads, with every link that is there followed. */
      readonly path: string
      readonly identity: FileResource['identity']
      readonly content: string | null
      /** What is kept there, in words, where it is a key or a credential of the operator. */
      readonly credential: string | null
    }
  | { readonly kind: 'refused'; readonly reason: string }

export type TextInspection =
  | {
      readonly kind: 'text'
      readonly text: string
      /** The hash of the whole file. */
      readonly content: string
      readonly truncated: boolean
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export type UrlInspection =
  | { readonly kind: 'url'; readonly resource: UrlResource }
  | { readonly kind: 'refused'; readonly reason: string }

/** What a program changed and what is kept of the time before it. */
export type KeptInspection =
  | {
      readonly kind: 'kept'
      /** Every path, in the workspace. */
      readonly paths: readonly string[]
      /** The same paths, or folders that hold them where there are very many, as they are now. */
      readonly resources: readonly FileResource[]
    }
  | { readonly kind: 'refused'; readonly reason: string }

export type HeldInspection =
  | {
      readonly kind: 'held'
      readonly held: HeldSet
      /** Every path that changes, or folders that hold them where there are very many, as they are now. */
      readonly resources: readonly FileResource[]
    }
  | { readonly kind: 'refused'; readonly reason: string }

/** A coding agent that the operator added, and its program where it is there. */
export interface FoundCodingAgent {
  readonly agent: CodingAgent
  readonly program: { readonly path: string; readonly content: string } | undefined
}

export interface Inspector {
  readonly locate: (path: string) => ResolvedPath
  /** Of the workspace. Another place is refused without a look at it. */
  file(location: FileLocation): Promise<FileInspection>
  /** Of the host, by its absolute path. The answer is of one form whether something is there or not. */
  hostFile(path: string): Promise<HostFileInspection>
  /** The beginning of a file of the workspace, for a tool whose effects depend on what it says. */
  text(location: FileLocation, maxBytes: number): Promise<TextInspection>
  /** Finds a program by absolute path or in the fixed search path of the sandbox. */
  program(name: string): Promise<{ readonly path: string; readonly content: string } | undefined>
  codingAgents(): readonly string[]
  codingAgent(name: string): Promise<FoundCodingAgent | undefined>
  /** What was let in from outside, as it is kept now. */
  extensions(): InstalledExtensions
  url(url: string, method: string): UrlInspection
  /** A server of an e-mail account, which has ports of its own. */
  mailServer(server: MailServer, protocol: 'IMAP' | 'SMTP'): UrlInspection
  /** Refused when it is not kept any more, or when something of it has changed since. */
  kept(name: string): Promise<KeptInspection>
  /** What a program changed over a view. Refused when it is not held, or when the workspace has changed since. */
  held(name: string): Promise<HeldInspection>
  /** Whether programs run over a view here, so that what they change is held until it was judged. */
  readonly view: boolean
  /** The hash of the environment that a sandboxed program is given. */
  readonly environment: ExecResource['environment']
}
