/**
 * Owns the routes of the marks on files. A mark is taken away here and nowhere else: by the operator, on a device that
 * decides. Refuses paths that lead out of the workspace without saying so.
 */
import { realpathSync } from 'node:fs'
import { isAbsolute, posix, relative } from 'node:path'
import { CountersignError } from '@countersign/contract'
import { fileRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface FileRouteParts {
  readonly kernel: Pick<Kernel, 'files'>
  readonly workspace: string
}

export function addFileRoutes(app: App, { kernel, workspace }: FileRouteParts): void {
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
