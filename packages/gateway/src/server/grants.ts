/** Owns the routes of standing authority: what may run unasked, what a rule would cover, and the end of it. */
import { CountersignError } from '@countersign/contract'
import { grantRoutes } from '@countersign/contract/routes'
import { type Kernel, subjectOf } from '@countersign/kernel'
import { suggestedTermDays, type Views } from '@countersign/views'
import { type App, receipt, route } from './route.ts'

export interface GrantParts {
  readonly kernel: Kernel
  readonly views: Views
  readonly autonomy: () => string
  readonly passkeyTools: () => readonly string[]
  readonly clock: () => Date
}

const day = 86_400_000

export function addGrantRoutes(app: App, { kernel, views, autonomy, passkeyTools, clock }: GrantParts): void {
  app.openapi(route(grantRoutes.grants), async (context) =>
    context.json(await views.grants(context.get('speaker').operator), 200),
  )
  app.openapi(route(grantRoutes.revokeGrant), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(receipt(await kernel.revokeGrant(operator, id, actor)), 200)
  })
  app.openapi(route(grantRoutes.pruneGrants), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { unusedDays, dryRun } = context.req.valid('json')
    const since = clock().getTime() - unusedDays * day
    const unused = (await views.grants(operator)).filter(
      (grant) => grant.state === 'active' && Date.parse(grant.lastUsedAt ?? grant.createdAt) <= since,
    )
    let ledger: number | null = null
    if (!dryRun) for (const { id } of unused) ledger = await kernel.revokeGrant(operator, id, actor)
    return context.json({ grants: unused, ledger }, 200)
  })
  app.openapi(route(grantRoutes.coverage), async (context) => {
    const { operator } = context.get('speaker')
    const { approval, where } = context.req.valid('json')
    const row = await kernel.approval(operator, approval)
    const goal = await views.goalOf(operator, row.run_id)
    return context.json(
      await views.coverage(operator, {
        subject: subjectOf(row),
        effects: row.card.effects,
        offers: row.offers,
        goal,
        where,
      }),
      200,
    )
  })
  app.openapi(route(grantRoutes.suggestedGrants), async (context) =>
    context.json(await views.suggestions(context.get('speaker').operator), 200),
  )
  app.openapi(route(grantRoutes.takeSuggestion), async (context) => {
    const { operator, actor, reach } = context.get('speaker')
    const { id } = context.req.valid('param')
    const found = (await views.suggestions(operator)).find((each) => each.id === id)
    if (!found)
      throw new CountersignError('not_found', 'This is not suggested any more.', {
        next: 'See what is with `countersign grant suggest`.',
      })
    const { approval, stop, untrusted, sentence } = found
    const rule = {
      scope: 'rule',
      stop,
      where: 'agent',
      days: suggestedTermDays,
      maxUses: null,
      untrusted,
    } as const
    const { grant, ledger } = await kernel.grantAfterwards(operator, approval, rule, { ...actor, reach })
    return context.json({ grant, sentence, ledger }, 200)
  })
  app.openapi(route(grantRoutes.whatCan), async (context) => {
    const { agent = null } = context.req.valid('query')
    const grants = await views.grants(context.get('speaker').operator)
    const rules = [...kernel.policies.current().rules.values()].filter(({ effect }) => effect === 'permit')
    const [free, own] = [
      rules.filter(({ file, id }) => file.startsWith('bundled/') && id.startsWith('level.')),
      rules.filter(({ file }) => !file.startsWith('bundled/')),
    ]
    return context.json(
      {
        agent,
        autonomy: autonomy(),
        free: free.map(({ why }) => why),
        rules: own.map(({ id, file, line, why }) => ({ id, file, line, why })),
        grants: grants.filter(
          (grant) =>
            grant.state === 'active' && (agent === null || grant.agent === null || grant.agent === agent),
        ),
        passkeyTools: [...passkeyTools()],
      },
      200,
    )
  })
}
