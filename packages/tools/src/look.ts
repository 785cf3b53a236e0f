/**
 * Owns what a tool may see while its effects are being listed. A look changes nothing, and the same world gives the
 * same answer, because the executor looks again just before it acts and compares.
 */
import type { ExecResource, FileResource, UrlResource } from '@countersign/contract'

/** Where a path leads: into the workspace, or to the host outside it. */
export type Place =
  | { readonly root: 'workspace' | 'host'; readonly path: string }
  | { readonly root: 'nowhere'; readonly reason: string }

export type FoundPlace = Extract<Place, { path: string }>

export type FileSight =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file'
      readonly identity: Exclude<FileResource['identity'], 'absent'>
      readonly content: string
      readonly size: number
      /** The path behind any link; differs from the one asked for only outside the workspace. */
      readonly path: string
    }
  | { readonly kind: 'directory'; readonly identity: Exclude<FileResource['identity'], 'absent'> }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export type TextSight =
  | {
      readonly kind: 'text'
      readonly text: string
      /** The hash of the whole file. */
      readonly content: string
      readonly truncated: boolean
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export type UrlSight =
  | { readonly kind: 'url'; readonly resource: UrlResource }
  | { readonly kind: 'refused'; readonly reason: string }

export interface Look {
  readonly place: (path: string) => Place
  file(place: FoundPlace): Promise<FileSight>
  /** The beginning of a file of the workspace, for a tool whose effects depend on what it says. */
  text(place: FoundPlace, maxBytes: number): Promise<TextSight>
  /** Finds a program by absolute path or in the fixed search path of the sandbox. */
  program(name: string): Promise<{ readonly path: string; readonly content: string } | undefined>
  url(url: string, method: string): UrlSight
  /** The hash of the environment that a sandboxed program is given. */
  readonly environment: ExecResource['environment']
}
