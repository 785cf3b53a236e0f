/** `countersign uninstall`: says exactly what goes and what stays, asks for the word, stops the gateway, and removes. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { liveLeases } from '../leases.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { type RemovalPlan, removalPlan } from '../removal.ts'
import { uninstallSteps } from '../service/plan.ts'
import { carryOut, commandLine, type ServiceStep } from '../service/service-step.ts'
import { down } from './down.ts'
import { servicePathsOf } from './service.ts'

const word = 'uninstall'
const packageCommand = 'npm uninstall -g countersign'

export const uninstall: Handler = async (context, args, options) => {
  const paths = await context.paths()
  const { environment } = context.host
  const plan = removalPlan({ paths, environment, keepData: options['keepData'] === true })
  const service = await serviceSteps(context)
  const stops = liveLeases(paths).map(({ pid }) => pid)
  const data = { stops, service, remove: plan.remove, leave: plan.leave, next: packageCommand }
  const text = planText(plan, service, stops)
  if (options['dryRun'] === true)
    return done({ ...data, dryRun: true }, `${text}\n\nNothing was removed. Remove --dry-run to do it.`)
  if (plan.remove.length === 0 && service.length === 0 && stops.length === 0)
    return done(data, `There is nothing to remove. Remove the program itself with \`${packageCommand}\`.`)
  const consent = await consentTo(context, {
    plan: text,
    question: `This cannot be undone. Type ${word} to confirm, or anything else to cancel`,
    word,
  })
  if (consent === 'nobody-to-ask')
    return usage(
      'Removing needs a confirmation in a terminal. Check with --dry-run first, then add --yes.',
      'uninstall',
    )
  if (consent === 'withheld') return done({ ...data, removed: [] }, 'Nothing was removed.')
  if (context.flags.yes) context.note(text)
  // The service would start the gateway again.
  await carryOut(service, context.host.runProgram)
  const stopped = await down(context, args, options)
  if (stopped.kind === 'failed') return stopped
  const removed = removeAll(plan)
  removeEmpty(environment.home.COUNTERSIGN_HOME)
  return done(
    { ...data, removed },
    `Removed ${removed.length + service.filter(({ kind }) => kind === 'remove').length} places. Remove the program itself with \`${packageCommand}\`.`,
  )
}

/** Only where there is something of a service. */
async function serviceSteps(context: Context): Promise<ServiceStep[]> {
  const services = await Promise.all([servicePathsOf(context), servicePathsOf(context, 'node')])
  return services.flatMap((servicePaths): ServiceStep[] => {
    if (servicePaths === undefined) return []
    if (existsSync(servicePaths.file)) return uninstallSteps(servicePaths)
    return existsSync(servicePaths.shim) ? [{ kind: 'remove', path: servicePaths.shim }] : []
  })
}

function removeAll({ remove }: RemovalPlan): string[] {
  for (const { path } of remove) rmSync(path, { recursive: true, force: true })
  return remove.map(({ path }) => path)
}

/** The folder that held them all, if nothing of anybody else is in it. */
function removeEmpty(home: string | undefined): void {
  if (home !== undefined && existsSync(home) && readdirSync(home).length === 0) rmdirSync(home)
}

function planText(
  { remove, leave }: RemovalPlan,
  service: readonly ServiceStep[],
  stops: readonly number[],
): string {
  const rows = [
    ...stops.map((pid) => ['stop', `gateway, pid ${pid}`]),
    ...service.flatMap((step) => {
      if (step.kind === 'run') return [['run', commandLine(step)]]
      return step.kind === 'remove' ? [['remove', `service  ${line(step.path)}`]] : []
    }),
    ...remove.map(({ what, path }) => ['remove', `${what}  ${line(path)}`]),
    ...leave.map(({ path, because }) => ['leave', `${line(path)}  ${because}`]),
  ]
  const warning = remove.some(({ what }) => what === 'data')
    ? [
        '',
        'The data includes the keys, the ledger, the history and the workspace. Save a copy of the ledger with',
        '`countersign ledger export`, or keep all of it with --keep-data.',
      ]
    : []
  return [columns(rows), ...warning].join('\n')
}
