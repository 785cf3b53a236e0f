/** Owns the route that installs an optional part of the product, and tells line by line how far it is. Refuses to install one twice at once. */
import type { OperatorId } from '@countersign/contract'
import { CountersignError } from '@countersign/contract'
import { partRoutes } from '@countersign/contract/routes'
import type { Actor, EntryDraft } from '@countersign/kernel'
import type { InstallProgress, InstallResult } from '@countersign/models'
import { stream } from 'hono/streaming'
import { type App, addStream } from './route.ts'

export interface PartRoutes {
  /** By the part's name: what installs it. */
  readonly parts: ReadonlyMap<string, Install>
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
}

export type Install = (
  onProgress: (progress: InstallProgress) => void,
  signal: AbortSignal,
) => Promise<InstallResult>

export function addPartRoutes(app: App, { parts, act }: PartRoutes): void {
  const underWay = new Set<string>()

  addStream(app, partRoutes.installPart, (context) => {
    const name = context.req.param('name') ?? ''
    const install = parts.get(name)
    if (!install) {
      throw new CountersignError('not_found', `There is no part ${name}.`, {
        next: `There are: ${[...parts.keys()].join(', ')}.`,
      })
    }
    if (underWay.has(name))
      throw new CountersignError('conflict', `The part ${name} is already being installed.`, {
        next: 'Wait until it is finished, then check the result.',
      })
    const { operator, actor }: { operator: OperatorId; actor: Actor } = context.get('speaker')
    underWay.add(name)
    return stream(context, async (out) => {
      const gone = new AbortController()
      out.onAbort(() => gone.abort())
      let told: Promise<unknown> = Promise.resolve()
      const tell = (step: unknown) => {
        told = told.then(() => out.write(`${JSON.stringify(step)}\n`))
      }
      const done = await install(tell, gone.signal).finally(() => underWay.delete(name))
      if (done.kind === 'failed') tell({ problem: done.message })
      else {
        const { version, bytes } = done
        await act(operator, { type: 'part.installed', actor, data: { name, version, bytes } })
        tell({ installed: true, version, bytes })
      }
      await told
    })
  })
}
