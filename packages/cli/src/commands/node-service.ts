/** `countersign node install`: the node of this computer as a service of this user, by the same steps as the gateway's. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { errorCatalogue } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { silenceOf } from '../service/manager-state.ts'
import { installSteps, uninstallSteps, verbSteps } from '../service/plan.ts'
import { type ServicePaths, servicePathsFor } from '../service/service-paths.ts'
import { carryOut, commandLine, type ServiceStep } from '../service/service-step.ts'
import { isPassing, ownProgram } from '../service/shim.ts'
import { planned } from './service.ts'

export const install: Handler = async (context, _args, options) => {
  const paths = await context.paths()
  const { platform, environment } = context.host
  const service = servicePathsFor({ platform, environment, paths, user: userInfo().uid, of: 'node' })
  if (!service) return runInstead(`Services on ${platform} are not supported; systemd and launchd are.`)
  const dryRun = options['dryRun'] === true
  if (options['remove'] === true) return remove(context, service, dryRun)
  if (!existsSync(join(paths.data, 'node', 'pairing.json')))
    return failed({
      type: 'not_found',
      message: 'This computer is no node yet.',
      next: 'Pair it with `countersign node pair <address>`.',
      exit: errorCatalogue.not_found.exit,
    })
  const program = ownProgram()
  if (isPassing(program))
    return failed({
      type: 'conflict',
      message: `This copy of the program is temporary: ${program}.`,
      next: 'Install it with `npm install -g countersign`, then run `countersign node install`.',
      exit: errorCatalogue.conflict.exit,
    })
  const steps = [
    ...installSteps(service, { node: process.execPath, program }),
    ...verbSteps(service.system === 'systemd' ? 'restart' : 'start', service),
  ]
  if (dryRun) return planned(steps)
  const silence = await silenceOf(service, context.host.runProgram)
  if (silence !== undefined)
    return runInstead(`There is no ${service.system} for your user here. ${line(silence)}.`)
  const outcome = await carryOut(steps, context.host.runProgram)
  if (outcome.kind === 'failed') return stopped(outcome)
  return done({ system: service.system, name: service.name, file: service.file, log: service.log }, () =>
    [
      columns([
        ['Running', service.name],
        ['File', service.file],
        ['Log', service.log],
      ]),
      '',
      'See how it does with `countersign node status`; remove it with `countersign node install --remove`.',
    ].join('\n'),
  )
}

async function remove(context: Context, service: ServicePaths, dryRun: boolean): Promise<CommandAnswer> {
  const steps = uninstallSteps(service)
  if (dryRun) return planned(steps)
  const removed = [service.file, service.shim].filter((path) => existsSync(path))
  if (removed.length === 0) return done({ removed }, 'The service is not installed. Nothing was removed.')
  await carryOut(steps, context.host.runProgram)
  return done(
    { removed },
    `Removed ${removed.join(' and ')}. The pairing stays; \`countersign node forget\` ends it.`,
  )
}

function stopped({ step, why }: { readonly step: ServiceStep; readonly why: string }): CommandAnswer {
  const what = step.kind === 'run' ? `\`${commandLine(step)}\`` : 'path' in step ? step.path : ''
  return failed({
    type: 'internal',
    message: `${line(what)} failed: ${line(why)}.`,
    next: 'Run `countersign node run` instead; it needs no service.',
    exit: errorCatalogue.internal.exit,
  })
}

function runInstead(message: string): CommandAnswer {
  return failed({
    type: 'not_found',
    message,
    next: 'Run `countersign node run`; it connects without a service.',
    exit: errorCatalogue.not_found.exit,
  })
}
