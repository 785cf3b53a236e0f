/** The step about the background service. The gateway does not install itself: a command on the host does. */
import type { HomePaths } from '@countersign/contract/node'
import { type ServiceManager, serviceManager } from './service-manager.ts'
import type { SetupStepHandler } from './setup-step.ts'
import type { SetupWords } from './words/index.ts'

export interface KeepStepParts {
  readonly platform: NodeJS.Platform
  readonly runtimeFolder: string | undefined
  readonly paths: Pick<HomePaths, 'data' | 'logs'>
}

export function keepStep({ platform, runtimeFolder, paths }: KeepStepParts): SetupStepHandler<'keep'> {
  const manager = serviceManager(platform, runtimeFolder)
  return {
    skippable: true,
    look: async (_operator, _kept, words) => ({
      data: {
        manager,
        preview: previews[manager](paths, words.keep),
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

const previews: Readonly<
  Record<ServiceManager, (paths: KeepStepParts['paths'], words: SetupWords['keep']) => string>
> = {
  systemd: ({ data, logs }, words) =>
    [words.systemd, words.systemdStart, words.folders(data, logs)].join('\n'),
  launchd: ({ data, logs }, words) =>
    [words.launchd, words.launchdStart, words.folders(data, logs)].join('\n'),
  none: (_paths, words) => words.none,
}
