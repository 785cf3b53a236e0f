/** Owns the routes of tools. Switching is the operator's own act; a call made here passes the same door as a model's. */
import {
  CountersignError,
  isKept,
  type OperatorId,
  type ToolDetail,
  type ToolFacts,
  type ToolUse,
  type ToolView,
} from '@countersign/contract'
import { toolRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { ToolAdmin } from '../tool-settings/tool-admin.ts'
import { type App, route } from './route.ts'

export interface ToolRoutes {
  readonly admin: ToolAdmin
  /** The names of the secrets that are kept. */
  readonly secretNames: () => Promise<readonly string[]>
}

const unused: ToolUse = { calls: 0, failures: 0, medianMs: null, lastAt: null, daily: [] }

export function addToolRoutes(app: App, kernel: Kernel, shown: Views, parts: ToolRoutes): void {
  const { admin, secretNames } = parts

  async function views(operator: OperatorId): Promise<{ facts: ToolFacts; view: ToolView }[]> {
    const [tools, use] = await Promise.all([admin.list(operator), shown.toolUse(operator)])
    const isNeeded = tools.some(({ facts }) => facts.needsKeys)
    const kept = isNeeded ? await secretNames() : []
    return tools.map(({ facts, source, enabled }) => ({
      facts,
      view: {
        name: facts.name,
        description: facts.description,
        category: facts.category,
        group: facts.group,
        source,
        enabled,
        listed: facts.listed,
        floor: facts.floor,
        effect: facts.effect,
        runs: facts.runs,
        undo: facts.undo,
        ...keysOf(facts, kept),
        use: use.get(facts.name) ?? unused,
      },
    }))
  }

  app.openapi(route(toolRoutes.tools), async (context) =>
    context.json(
      (await views(context.get('speaker').operator)).map(({ view }) => view),
      200,
    ),
  )
  app.openapi(route(toolRoutes.tool), async (context) => {
    const { name } = context.req.valid('param')
    const found = (await views(context.get('speaker').operator)).find(({ view }) => view.name === name)
    if (!found) throw unknownTool(name)
    const { version, definition, tags, schema, rate } = found.facts
    const detail: ToolDetail = { ...found.view, version, definition, tags: [...tags], schema, rate }
    return context.json(detail, 200)
  })
  app.openapi(route(toolRoutes.toolGroups), async (context) =>
    context.json(await admin.groups(context.get('speaker').operator), 200),
  )
  app.openapi(route(toolRoutes.switchTool), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { name } = context.req.valid('param')
    const switched = await admin.turn(operator, name, context.req.valid('json').enabled, actor)
    return context.json({ ok: true as const, ...switched }, 200)
  })
  app.openapi(route(toolRoutes.tryTool), async (context) => {
    const call = { tool: context.req.valid('param').name, args: context.req.valid('json').args }
    return context.json(await kernel.tryTool(context.get('speaker').operator, call), 200)
  })
  app.openapi(route(toolRoutes.callTool), async (context) => {
    const { operator, actor } = context.get('speaker')
    const call = { tool: context.req.valid('param').name, args: context.req.valid('json').args }
    return context.json({ ok: true as const, ...(await kernel.callTool(operator, call, actor)) }, 200)
  })
}

/** What a tool needs that somebody made. */
function keysOf({ needsKeys }: ToolFacts, kept: readonly string[]): Pick<ToolView, 'keys'> {
  if (!needsKeys) return {}
  return {
    keys: needsKeys.map(({ name, displayName, docsUrl }) => ({
      name,
      ...(displayName === undefined ? {} : { displayName }),
      ...(docsUrl === undefined ? {} : { docsUrl }),
      kept: isKept(name, kept),
    })),
  }
}

function unknownTool(name: string): CountersignError {
  return new CountersignError('not_found', `There is no tool ${name}.`, {
    next: 'See them with `countersign tool list --all`.',
  })
}
