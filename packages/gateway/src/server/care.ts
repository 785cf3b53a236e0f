/** Owns the routes that look after the installation: the checks of its host, their repairs, the log, and how days went. */

import { existsSync } from 'node:fs'
import {
  type ChannelView,
  CountersignError,
  type HealthDay,
  type LogLine,
  type MailAccountView,
  type OperatorId,
  type RouteView,
} from '@countersign/contract'
import {
  carryOutRepairs,
  channelsStand,
  clock as clockCheck,
  type DoctorFinding,
  deviceKey,
  diskSpace,
  gatewayLog,
  homeFolders,
  lastLines,
  mailSignIns,
  nodeVersion,
  otherKeys,
  repairText,
  speech,
  vaultKey,
} from '@countersign/contract/doctor'
import type { HomePaths } from '@countersign/contract/node'
import { careRoutes } from '@countersign/contract/routes'
import type { EntryDraft } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface CareParts {
  readonly paths: HomePaths
  readonly platform: NodeJS.Platform
  readonly clock: () => Date
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
  readonly redact: (text: string) => string
  /** What was logged since the start, oldest first: for a gateway that writes to whoever started it. */
  readonly logged: () => readonly string[]
  readonly accounts: (operator: OperatorId) => Promise<readonly MailAccountView[]>
  readonly channels: (operator: OperatorId) => Promise<readonly ChannelView[]>
  readonly routes: () => Promise<readonly RouteView[]>
  readonly days: (operator: OperatorId, days: number) => Promise<HealthDay[]>
}

export function addCareRoutes(app: App, parts: CareParts): void {
  const { paths, clock } = parts

  app.openapi(route(careRoutes.findings), async (context) => {
    const found = await findingsOf(context.get('speaker').operator, parts)
    return context.json(
      found.map((each) => ({ ...each, repairs: each.repairs.map(repairText) })),
      200,
    )
  })
  app.openapi(route(careRoutes.repairFinding), async (context) => {
    const { id } = context.req.valid('param')
    const { operator, actor } = context.get('speaker')
    const { repairs } = foundAs(id, await findingsOf(operator, parts))
    const { backup, done, failed } = carryOutRepairs(repairs, paths.state, clock())
    const data = { id, done: [...done], failed: [...failed] }
    const ledger = await parts.act(operator, { type: 'finding.repaired', actor, data })
    return context.json({ done: [...done], failed: [...failed], kept: backup, ledger }, 200)
  })
  app.openapi(route(careRoutes.log), (context) => {
    const { lines } = context.req.valid('query')
    const file = gatewayLog(paths.logs)
    const isKept = existsSync(file)
    const text = isKept ? lastLines(file, lines) : parts.logged().slice(-lines)
    return context.json(
      { lines: text.map((line) => logLine(parts.redact(line))), file: isKept ? file : null },
      200,
    )
  })
  app.openapi(route(careRoutes.healthDays), async (context) =>
    context.json(await parts.days(context.get('speaker').operator, context.req.valid('query').days), 200),
  )
}

async function findingsOf(
  operator: OperatorId,
  { paths, platform, clock, accounts, channels, routes }: CareParts,
): Promise<DoctorFinding[]> {
  return [
    nodeVersion(process.versions.node),
    homeFolders(paths, platform),
    deviceKey(paths, platform),
    otherKeys(paths, platform),
    vaultKey(paths),
    diskSpace(paths),
    clockCheck(paths, clock()),
    mailSignIns(await accounts(operator)),
    await speech(await routes(), paths),
    channelsStand(await channels(operator)),
  ]
}

/** Looked at again: what is repaired is what is wrong now, and not what a page says. */
function foundAs(id: string, findings: readonly DoctorFinding[]): DoctorFinding {
  const found = findings.find((each) => each.id === id)
  if (found === undefined) throw new CountersignError('not_found', `There is no check ${id}.`)
  if (found.repairs.length === 0)
    throw new CountersignError('conflict', 'There is nothing that can be repaired here.', {
      next: found.fix === '' ? 'Look again: it is well now.' : found.fix,
    })
  return found
}

/** A problem is logged by the name of its error first. */
export function logLine(line: string): LogLine {
  const [, at = null, text = line] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*)$/.exec(line) ?? []
  const isProblem = /^(?:[A-Za-z]*Error\b|starting again|not started)/.test(text)
  return { at, level: isProblem ? 'problem' : 'info', text }
}
