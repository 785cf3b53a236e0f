/**
 * Owns the routes of the workspace and of the marks on files. Looking is for the operator whose workspace it is; a mark
 * is taken away here and nowhere else: by the operator, on a device that decides. Refuses paths that lead out of the
 * workspace without saying so.
 */
import { realpathSync } from 'node:fs'
import { isAbsolute, posix, relative } from 'node:path'
import { CountersignError, type OperatorId } from '@countersign/contract'
import type { HomePaths } from '@countersign/contract/node'
import { fileRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import { createUploadStore } from '../workspace/upload-store.ts'
import { createWorkspaceReader } from '../workspace/workspace-reader.ts'
import { type App, route } from './route.ts'

export interface FileRouteParts {
  readonly kernel: Pick<Kernel, 'files' | 'operator'>
  readonly paths: Pick<HomePaths, 'workspace' | 'executor'>
  readonly clock: () => Date
}

export function addFileRoutes(app: App, parts: FileRouteParts): void {
  addLooking(app, parts)
  addMarking(app, parts)
}

function addLooking(app: App, { kernel, paths, clock }: FileRouteParts): void {
  const reader = createWorkspaceReader(paths.workspace)
  const uploads = createUploadStore({ beside: paths.executor, clock })
  const requireOwner = (operator: OperatorId) => {
    if (operator !== kernel.operator)
      throw new CountersignError('not_found', 'There is no workspace of yours here.')
  }
  app.openapi(route(fileRoutes.folder), async (context) => {
    const { operator } = context.get('speaker')
    requireOwner(operator)
    const { path } = context.req.valid('query')
    const { entries, more } = await reader.folder(path)
    const labels = await kernel.files.worth(
      operator,
      entries.map((entry) => entry.path),
    )
    const marked = entries.map((entry, index) => ({ ...entry, label: labels[index] ?? null }))
    return context.json({ path, entries: marked, more }, 200)
  })
  app.openapi(route(fileRoutes.filePart), async (context) => {
    const { operator } = context.get('speaker')
    requireOwner(operator)
    const { path, offset, length } = context.req.valid('query')
    const part = await reader.part(path, offset, length)
    const [label = null] = await kernel.files.worth(operator, [path])
    return context.json({ ...part, label }, 200)
  })
  app.openapi(route(fileRoutes.uploadPart), async (context) => {
    requireOwner(context.get('speaker').operator)
    const { sha256 } = context.req.valid('param')
    const { offset, base64 } = context.req.valid('json')
    const received = await uploads.add(sha256, offset, Buffer.from(base64, 'base64'))
    return context.json({ received }, 200)
  })
}

function addMarking(app: App, { kernel, paths: { workspace } }: FileRouteParts): void {
  app.openapi(route(fileRoutes.fileMarks), async (context) => {
    const { operator } = context.get('speaker')
    const { path } = context.req.valid('query')
    const workspacePath = path === undefined ? undefined : workspacePathOf(path, workspace)
    return context.json(await kernel.files.marks(operator, workspacePath), 200)
  })
  app.openapi(route(fileRoutes.trustFile), async (context) => {
    const { operator, actor } = context.get('speaker')
    const path = workspacePathOf(context.req.valid('json').path, workspace)
    return context.json({ path, ...(await kernel.files.trust(operator, path, actor)) }, 200)
  })
  app.openapi(route(fileRoutes.distrustFile), async (context) => {
    const { operator, actor } = context.get('speaker')
    const path = workspacePathOf(context.req.valid('json').path, workspace)
    return context.json({ path, ...(await kernel.files.distrust(operator, path, actor)) }, 200)
  })
}

/** The path as marks are kept by it. */
export function workspacePathOf(path: string, workspace: string): string {
  if (!isAbsolute(path)) {
    const inside = posix.normalize(path).replace(/\/$/, '') || '.'
    if (inside !== '..' && !inside.startsWith('../')) return inside
    throw new CountersignError('usage', `${path} is outside of the workspace.`, {
      next: 'Give a path in the workspace, or an absolute path.',
    })
  }
  const absolute = posix.normalize(path)
  for (const root of [workspace, realpathSync(workspace)]) {
    const inside = relative(root, absolute)
    if (inside !== '..' && !inside.startsWith('../')) return inside === '' ? '.' : inside.replace(/\/$/, '')
  }
  return absolute.length > 1 ? absolute.replace(/\/$/, '') : absolute
}
