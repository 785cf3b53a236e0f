/** Owns where each shell looks for the completion of a command. Computes only. */
import { join } from 'node:path'
import type { Shell } from './completion.ts'
import type { Environment } from './environment.ts'

export interface CompletionFile {
  readonly shell: Shell
  /** Where `countersign completion` belongs. */
  readonly path: string
  /** Where somebody may load it instead. */
  readonly startFiles: readonly string[]
}

export function completionFiles({ userHome, home }: Environment): CompletionFile[] {
  const data = home.XDG_DATA_HOME ?? join(userHome, '.local', 'share')
  const config = home.XDG_CONFIG_HOME ?? join(userHome, '.config')
  return [
    {
      shell: 'bash',
      path: join(data, 'bash-completion', 'completions', 'countersign'),
      startFiles: [join(userHome, '.bashrc'), join(userHome, '.bash_profile')],
    },
    {
      shell: 'zsh',
      path: join(data, 'zsh', 'site-functions', '_countersign'),
      startFiles: [join(userHome, '.zshrc')],
    },
    {
      shell: 'fish',
      path: join(config, 'fish', 'completions', 'countersign.fish'),
      startFiles: [join(config, 'fish', 'config.fish')],
    },
    {
      shell: 'pwsh',
      path: join(config, 'powershell', 'countersign.ps1'),
      startFiles: [join(config, 'powershell', 'profile.ps1')],
    },
  ]
}
