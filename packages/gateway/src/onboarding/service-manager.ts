/** Tells which service manager this computer has, without asking it. */
import { existsSync } from 'node:fs'

export type ServiceManager = 'systemd' | 'launchd' | 'none'

export function serviceManager(platform: NodeJS.Platform, runtimeFolder: string | undefined): ServiceManager {
  if (platform === 'darwin') return 'launchd'
  if (platform !== 'linux' || runtimeFolder === undefined) return 'none'
  // The folder is there only where systemd runs; the other one only where this person has a manager of their own.
  return existsSync('/run/systemd/system') && existsSync(`${runtimeFolder}/systemd`) ? 'systemd' : 'none'
}
