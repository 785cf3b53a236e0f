/** Owns what is said of keeping it running. The gateway does not install itself: the command on the host does. */
import type { HomePaths } from '@countersign/contract/node'
import { type ServiceManager, serviceManager } from './service-manager.ts'
import type { SetupStepHandler } from './setup-step.ts'

export interface KeepStepParts {
  readonly platform: NodeJS.Platform
  readonly runtimeFolder: string | undefined
  readonly paths: Pick<HomePaths, 'data' | 'logs'>
}

export function keepStep({ platform, runtimeFolder, paths }: KeepStepParts): SetupStepHandler<'keep'> {
  const manager = serviceManager(platform, runtimeFolder)
  return {
    title: 'Keep running',
    about: 'A service that starts with this computer, and commands that complete themselves.',
    skippable: true,
    look: async () => ({
      data: {
        manager,
        preview: previews[manager](paths),
        command: manager === 'none' ? 'countersign up' : 'countersign service install',
        completions: ['bash', 'zsh', 'fish'].map((shell) => ({
          shell,
          command: `countersign completion ${shell}`,
        })),
      },
    }),
    answer: async () => ({ done: true }),
  }
}

const previews: Readonly<Record<ServiceManager, (paths: KeepStepParts['paths']) => string>> = {
  systemd: ({ data, logs }) =>
    [
      'Writes ~/.config/systemd/user/countersign.service, which runs `countersign up --foreground`.',
      'Enables and starts it for you alone, without root.',
      `Data stays in ${data}, logs in ${logs}.`,
      '`countersign service install --dry-run` shows the file word for word.',
    ].join('\n'),
  launchd: ({ data, logs }) =>
    [
      'Writes ~/Library/LaunchAgents/countersign.plist, which runs `countersign up --foreground`.',
      'Loads it for you alone.',
      `Data stays in ${data}, logs in ${logs}.`,
      '`countersign service install --dry-run` shows the file word for word.',
    ].join('\n'),
  none: () =>
    'No service manager was found here. `countersign up` starts it after each restart of this computer.',
}
