/** Owns which files the palette knows by name: those of the workspace and of the folders in it. */
import type { WorkspaceEntry } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { routeHref } from '../../environment/route.ts'

export interface FoundFile {
  readonly path: string
  readonly isFolder: boolean
  readonly to: string
}

/** A workspace may be deep and wide; what is deeper is found on its screen. */
const mostFolders = 12

export async function foldersToo(client: Client): Promise<readonly FoundFile[]> {
  const top = await client.folder('.')
  const folders = top.entries.filter(({ kind }) => kind === 'folder').slice(0, mostFolders)
  const below = await Promise.all(folders.map(({ path }) => client.folder(path)))
  return [top, ...below].flatMap(({ entries }) => entries.map(asFound))
}

export function asFound({ path, kind, name }: Pick<WorkspaceEntry, 'path' | 'kind' | 'name'>): FoundFile {
  const parts = path.split('/')
  const isFolder = kind === 'folder'
  return {
    path,
    isFolder,
    to: isFolder ? routeHref('/files', parts) : routeHref('/files', parts.slice(0, -1), { file: name }),
  }
}
