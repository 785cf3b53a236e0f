/** Owns which checks a host is examined with, and their order. None of them needs the gateway to run. */
import { userInfo } from 'node:os'
import {
  clock,
  type DoctorFinding,
  deviceKey,
  diskSpace,
  homeFolders,
  isNewHome,
  nodeVersion,
  ok,
  otherKeys,
  sandbox,
  vaultKey,
} from '@countersign/contract/doctor'
import type { HomePaths } from '@countersign/contract/node'
import type { Context } from './context.ts'
import { diskWrite } from './doctor/disk-write.ts'
import { gateway } from './doctor/gateway.ts'
import { leases, trustFile } from './doctor/home.ts'
import { completionInstalled, service, webPages } from './doctor/installation.ts'
import { port, settings } from './doctor/settings.ts'
import { gatewayProgram } from './gateway-process.ts'
import { servicePathsFor } from './service/service-paths.ts'
import { ownProgram } from './service/shim.ts'

export type { DoctorFinding } from '@countersign/contract/doctor'

export async function runDoctorChecks(
  context: Context,
  { deep }: { readonly deep: boolean } = { deep: false },
): Promise<DoctorFinding[]> {
  const paths = await context.paths()
  const { platform, environment } = context.host
  const place = servicePathsFor({ platform, environment, paths, user: userInfo().uid })
  return [
    nodeVersion(process.versions.node),
    ...(isNewHome(paths) ? newHome() : home(paths, platform)),
    vaultKey(paths),
    settings(paths),
    await port(paths, environment.settings['COUNTERSIGN_PORT']),
    leases(paths),
    diskSpace(paths),
    ...(deep ? [diskWrite(paths)] : []),
    clock(paths, context.host.clock()),
    await sandbox({ platform, programFolders: environment.programFolders }),
    service(place, ownProgram()),
    webPages(gatewayProgram()),
    completionInstalled(environment),
    ...(await gateway(context, paths, deep)),
  ]
}

function home(paths: HomePaths, platform: NodeJS.Platform): DoctorFinding[] {
  return [
    homeFolders(paths, platform),
    deviceKey(paths, platform),
    otherKeys(paths, platform),
    trustFile(paths),
  ]
}

function newHome(): DoctorFinding[] {
  return ['home', 'device-key', 'keys', 'trust'].map((id) => ok(id, 'the first start creates it'))
}
