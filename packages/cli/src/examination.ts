/** Owns which checks a host is examined with, and their order. None of them needs the gateway to run. */
import { userInfo } from 'node:os'
import type { Context } from './context.ts'
import { diskWrite } from './examination/disk-write.ts'
import type { Finding } from './examination/finding.ts'
import { gateway } from './examination/gateway.ts'
import { deviceKey, homeFolders, leases, otherKeys, trustFile, vaultKey } from './examination/home.ts'
import { clock, diskSpace, nodeVersion, sandbox } from './examination/host.ts'
import { port, settings } from './examination/settings.ts'
import { completionInstalled, service, webPages } from './examination/surroundings.ts'
import { gatewayProgram } from './gateway-process.ts'
import { servicePlace } from './service/place.ts'
import { ownProgram } from './service/shim.ts'

export type { Finding } from './examination/finding.ts'

export async function examine(
  context: Context,
  { deep }: { readonly deep: boolean } = { deep: false },
): Promise<Finding[]> {
  const paths = await context.paths()
  const { platform, environment } = context.host
  const place = servicePlace({ platform, environment, paths, user: userInfo().uid })
  return [
    nodeVersion(process.versions.node),
    homeFolders(paths, platform),
    deviceKey(paths, platform),
    otherKeys(paths, platform),
    trustFile(paths),
    vaultKey(paths),
    settings(paths),
    await port(paths, environment.settings['COUNTERSIGN_PORT']),
    leases(paths),
    diskSpace(paths),
    ...(deep ? [diskWrite(paths)] : []),
    clock(paths, context.host.clock()),
    await sandbox(context.host),
    service(place, ownProgram()),
    webPages(gatewayProgram()),
    completionInstalled(environment),
    ...(await gateway(context, paths, deep)),
  ]
}
