/** Asks the service manager of this user: whether it answers at all, and how the service does. */
import type { RunProgram } from '../run-program.ts'
import * as launchd from './launchd.ts'
import type { ServicePaths } from './service-paths.ts'
import { commandLine, type RunStep, refusalOf } from './service-step.ts'
import * as systemd from './systemd.ts'

/** Why nothing can be asked of the service manager; undefined when it answers. */
export async function silenceOf(servicePaths: ServicePaths, start: RunProgram): Promise<string | undefined> {
  const step = servicePaths.system === 'systemd' ? systemd.probe : launchd.probe(servicePaths.user)
  const why = refusalOf(step.program, await start(step.program, step.args))
  return why === undefined ? undefined : `\`${commandLine(step)}\` does not answer: ${why}`
}

export async function serviceState(
  servicePaths: ServicePaths,
  start: RunProgram,
): Promise<systemd.UnitState> {
  const step: RunStep =
    servicePaths.system === 'systemd' ? systemd.lookStep(servicePaths.name) : launchd.lookStep(servicePaths)
  const ran = await start(step.program, step.args)
  const output = ran.kind === 'ran' && ran.code === 0 ? ran.output : ''
  return servicePaths.system === 'systemd' ? systemd.unitState(output) : launchd.agentState(output)
}
