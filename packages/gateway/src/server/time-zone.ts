/** Owns the routes of the time zone: budgets and days are counted in it, so another one holds from the next start on. */
import { CountersignError, isZone, type TimeZoneView } from '@countersign/contract'
import { readSettings } from '@countersign/contract/node'
import { settingRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import { changeConfigurationFile } from '../configuration-file.ts'
import { type App, route } from './route.ts'

export interface TimeZoneParts {
  readonly kernel: Pick<Kernel, 'act'>
  readonly file: string
  /** What the gateway was started with. */
  readonly zone: string
  /** The environment says it. */
  readonly fixed: boolean
}

export function addTimeZoneRoutes(app: App, { kernel, file, zone, fixed }: TimeZoneParts): void {
  const reason = fixed ? 'The variable COUNTERSIGN_TIME_ZONE of the gateway sets it.' : null
  const view = (): TimeZoneView => {
    const written = readSettings(file)['timeZone']
    const next = reason === null && typeof written === 'string' && isZone(written) ? written : zone
    return { zone, next, fixed: reason }
  }
  app.openapi(route(settingRoutes.timeZone), (context) => context.json(view(), 200))
  app.openapi(route(settingRoutes.setTimeZone), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { zone: wanted } = context.req.valid('json')
    if (reason !== null)
      throw new CountersignError('conflict', `The time zone cannot be changed here. ${reason}`, {
        next: 'Unset the variable and start the gateway again.',
      })
    changeConfigurationFile(file, { timeZone: wanted })
    const ledger = await kernel.act(operator, { type: 'time_zone.changed', actor, data: { zone: wanted } })
    return context.json({ zone: view(), ledger }, 200)
  })
}
