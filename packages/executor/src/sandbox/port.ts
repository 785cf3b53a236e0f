/** What the executor needs of a sandbox. An implementation refuses to run rather than run with less isolation. */

import type { Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/**
 * `network` is `workspace-write` with one listener on the sandbox's own loopback, behind which the owner of the
 * command decides about every connection. The other two reach nothing.
 */
export type SandboxProfile = 'read-only' | 'workspace-write' | 'network'

/**
 * Serves the listener that only the sandboxed command can reach. It is open before the command begins, and the
 * sandbox closes it when the command has ended.
 */
export type SandboxNetwork = (listener: Server) => Promise<{ close(): Promise<void> }>

/**
 * Files that lie over those of the host for one command. They are looked up in a file system of the sandbox's own, so
 * that nobody outside can put others in their place, not even by renaming.
 */
export interface SandboxLayers {
  /** A private folder of the shape that `sealedFolders` says. */
  readonly sealedFolder: string
  /** In place of the usual Node.js; a file that only the executor can write. */
  readonly node: string | null
  /**
   * `host`: the workspace itself. `sealed`: with the sealed files over it; changes stay in the sealed folder.
   * `taking-over`: the workspace itself, with the changes beside it.
   */
  readonly workspace: 'host' | 'sealed' | 'taking-over'
}

export interface SandboxKept {
  /** Can be written. */
  readonly journal: string
  readonly source: string | null
}

/** A file or a folder of the host that a command may read. */
export interface SandboxMount {
  readonly from: string
  /** Absolute, inside. */
  readonly at: string
  /** It may also be written. Only in place of the workspace. */
  readonly write?: boolean
}

export interface SandboxStreams {
  readonly stdin: Writable
  readonly stdout: Readable
}

export interface SandboxCommand {
  readonly argv: readonly string[]
  /** Relative to the workspace; `''` or `'.'` is the workspace itself. */
  readonly cwd: string
  /** The whole environment of the command, save PATH, HOME, TMPDIR and LANG, which have defaults. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Speaks with the command over its standard streams, in place of an input and an output that is kept. When it has ended, so does the command. */
  readonly talk?: (streams: SandboxStreams) => Promise<void>
  readonly profile: SandboxProfile
  /** Needed by the profile `network`, and by no other. */
  readonly network?: SandboxNetwork
  readonly timeoutMs: number
  /** Only for a sandbox that is `layered`. */
  readonly layers?: SandboxLayers
  /** What it may read besides the workspace. */
  readonly mounts?: readonly SandboxMount[]
  /** What the command sees in place of the workspace, which is then not there at all. It starts in the root. */
  readonly instead?: readonly SandboxMount[]
  /** Its programs may make local sockets for each other. Only in place of the workspace, where nobody else's can lie. */
  readonly localSockets?: boolean
  /** Folders of the executor's own, for the program that takes changes over and gives them back. */
  readonly kept?: SandboxKept
  /** Kept bytes of stdout and stderr together. The command goes on; the rest is thrown away. */
  readonly maxOutputBytes: number
  /** Per process. */
  readonly maxMemoryBytes: number
  /** Tasks: a thread counts as much as a process. */
  readonly maxProcesses: number
}

/** A command that died of a signal inside the sandbox exits with 128 plus the signal's number, as in a shell. */
export type SandboxResult =
  | {
      readonly kind: 'exited'
      readonly code: number | null
      readonly signal: string | null
      readonly stdout: string
      readonly stderr: string
      readonly truncated: boolean
      readonly durationMs: number
    }
  | {
      readonly kind: 'timeout' | 'cancelled'
      readonly stdout: string
      readonly stderr: string
      readonly durationMs: number
    }

/** A long-lived command that is spoken to over its standard streams. It has no network. */
export type SandboxService = Pick<
  SandboxCommand,
  'argv' | 'cwd' | 'env' | 'maxMemoryBytes' | 'maxProcesses'
> & { readonly profile: Exclude<SandboxProfile, 'network'> }

export interface SandboxProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the last process of the sandbox is gone; never rejects. */
  readonly ended: Promise<void>
  kill(): void
}

export interface Sandbox {
  readonly name: string
  /** Whether a command can be given files that lie over those of the host. */
  readonly layered: boolean
  /** Rejects only when the sandbox itself could not be set up; the command has then not run. */
  run(command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult>
  start(service: SandboxService): SandboxProcess
}

export type SandboxProbe =
  | { readonly kind: 'available'; readonly sandbox: Sandbox }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }
