/** Owns the routes of tools. Switching is the operator's own act; a call made here passes the same door as a model's. */
import {
  CountersignError,
  type OperatorId,
  SwitchReply,
  SwitchTool,
  ToolArguments,
  ToolCalled,
  ToolDetail,
  type ToolFacts,
  ToolGroupView,
  type ToolUse,
  ToolView,
  TriedCall,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import type { ToolAdmin } from '../tool-settings/tool-admin.ts'
import { type App, route } from './route.ts'

export interface ToolRoutes {
  readonly admin: ToolAdmin
}

const named = { params: z.object({ name: z.string().min(1).max(64) }) }
const unused: ToolUse = { calls: 0, failures: 0, medianMs: null, lastAt: null }

export function addToolRoutes(app: App, kernel: Kernel, shown: Views, { admin }: ToolRoutes): void {
  async function views(operator: OperatorId): Promise<{ facts: ToolFacts; view: ToolView }[]> {
    const [tools, use] = await Promise.all([admin.list(operator), shown.toolUse(operator)])
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
        use: use.get(facts.name) ?? unused,
      },
    }))
  }

  app.openapi(
    route('get', '/v1/tools', 'Every tool, with its use over thirty days.', z.array(ToolView)),
    async (context) =>
      context.json(
        (await views(context.get('speaker').operator)).map(({ view }) => view),
        200,
      ),
  )
  app.openapi(
    route('get', '/v1/tools/{name}', 'One tool with its schema.', ToolDetail, named),
    async (context) => {
      const { name } = context.req.valid('param')
      const found = (await views(context.get('speaker').operator)).find(({ view }) => view.name === name)
      if (!found) throw unknownTool(name)
      const { version, definition, tags, schema, rate } = found.facts
      const detail: ToolDetail = { ...found.view, version, definition, tags: [...tags], schema, rate }
      return context.json(detail, 200)
    },
  )
  app.openapi(route('get', '/v1/tool-groups', 'Tool groups.', z.array(ToolGroupView)), async (context) =>
    context.json(await admin.groups(context.get('speaker').operator), 200),
  )
  app.openapi(
    route('post', '/v1/tools/{name}/switch', 'Enables or disables a tool or a group.', SwitchReply, {
      ...named,
      body: SwitchTool,
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { name } = context.req.valid('param')
      const switched = await admin.turn(operator, name, context.req.valid('json').enabled, actor)
      return context.json({ ok: true as const, ...switched }, 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/tools/{name}/try',
      'What a call would affect and need. Does nothing.',
      z.array(TriedCall),
      {
        ...named,
        body: ToolArguments,
      },
    ),
    async (context) => {
      const call = { tool: context.req.valid('param').name, args: context.req.valid('json').args }
      return context.json(await kernel.tryTool(context.get('speaker').operator, call), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/tools/{name}/call',
      'Makes a call directly, subject to policy and approval.',
      ToolCalled,
      {
        ...named,
        body: ToolArguments,
      },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const call = { tool: context.req.valid('param').name, args: context.req.valid('json').args }
      return context.json({ ok: true as const, ...(await kernel.callTool(operator, call, actor)) }, 200)
    },
  )
}

function unknownTool(name: string): CountersignError {
  return new CountersignError('not_found', `There is no tool ${name}.`, {
    next: 'See them with `countersign tool list --all`.',
  })
}
