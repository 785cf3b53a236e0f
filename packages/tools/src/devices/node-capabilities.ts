/** Owns what a tool of nodes is given on the node for one permit. It reaches no further than what the permit names. */
import type { DirectoryEntry, Failure } from '../capabilities.ts'

export interface NodeCapabilities {
  readonly files: NodeFiles
  readonly programs: NodePrograms
  readonly desktop: NodeDesktop
}

/** In the folder that the node shares. Paths are those of the permit. */
export interface NodeFiles {
  list(
    path: string,
    depth: number,
  ): Promise<
    | { readonly kind: 'listed'; readonly entries: readonly DirectoryEntry[]; readonly truncated: boolean }
    | Failure
  >
  /** Fails if its content is no longer what was decided on. */
  read(
    path: string,
    maxBytes: number,
  ): Promise<{ readonly kind: 'read'; readonly bytes: Uint8Array; readonly size: number } | Failure>
  /** Replaces the file in one step, or takes it away where there are no bytes. What was there is kept in the trash. */
  write(
    path: string,
    bytes: Uint8Array | null,
  ): Promise<{ readonly kind: 'written'; readonly kept: string | null } | Failure>
  /** Puts back what the trash holds. */
  restore(path: string, kept: string): Promise<{ readonly kind: 'written' } | Failure>
}

export interface NodePrograms {
  /** In the sandbox of the node: the shared folder and no network. */
  run(command: {
    readonly argv: readonly string[]
    readonly cwd: string
    readonly stdin: string
    readonly timeoutMs: number
    readonly signal: AbortSignal
  }): Promise<NodeProgramEnd | Failure>
}

export interface NodeProgramEnd {
  readonly kind: 'ran'
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly why: 'timeout' | 'cancelled' }
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
  readonly durationMs: number
}

/** What has no sandbox: fixed programs of the node's system with fixed arguments. */
export interface NodeDesktop {
  open(url: string, signal: AbortSignal): Promise<{ readonly kind: 'done' } | Failure>
  /** Kept in the shared folder. */
  captureScreen(signal: AbortSignal): Promise<NodePicture | Failure>
  takePicture(signal: AbortSignal): Promise<NodePicture | Failure>
  readClipboard(
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'text'; readonly text: string; readonly truncated: boolean } | Failure>
  writeClipboard(text: string, signal: AbortSignal): Promise<{ readonly kind: 'done' } | Failure>
  notify(
    notice: { readonly title: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'done' } | Failure>
  locate(signal: AbortSignal): Promise<
    | {
        readonly kind: 'place'
        readonly latitude: number
        readonly longitude: number
        readonly accuracyMetres: number | null
      }
    | Failure
  >
}

export interface NodePicture {
  readonly kind: 'picture'
  /** In the shared folder. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}
