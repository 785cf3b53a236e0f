/**
 * Installs a program of the list into the workspace's own folder, in the version that the list names. It stands for a
 * call of `package_manager`, which is what is judged, shown and run: no second way to a registry.
 */
import { operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { packageManager } from '../code/package-manager.ts'
import { defineTool, perMinute } from '../definition.ts'
import { cliFolders, type ListedProgram, programList } from './program-list.ts'

const installable = programList.flatMap((listed) => (listed.package ? [listed.name] : []))

export const installCliTool = defineTool({
  name: 'install_cli_tool',
  version: '1',
  description: `Install a program of list_cli_tools into the workspace: ${installable.join(', ')}.`,
  input: z.strictObject({
    name: z.enum(installable),
    /** Another registry than the usual one, as for package_manager. */
    registry: z.string().max(500).nullable().default(null),
  }),
  category: 'cli',
  group: 'cliTools',
  tags: ['install', 'npx', 'npm', 'pip', 'uv', 'command line', 'cli', 'program', 'missing program'],
  effect: 'pure',
  rate: perMinute(3),
  floor: 0,
  output: operatorLabel,
  runs: 'unwrapped',
  describe: ({ name }) => `Install ${name}`,
  preview: ({ name, registry }) => ({
    kind: 'text',
    title: packageManager.name,
    text: JSON.stringify(wishOf(name, registry), null, 2),
  }),
  unwrap: ({ name, registry }) => ({
    kind: 'one',
    call: { tool: packageManager.name, args: wishOf(name, registry) },
  }),
})

function wishOf(name: string, registry: string | null) {
  const { package: from } = programList.find((listed) => listed.name === name) as Required<ListedProgram>
  const separator = from.manager === 'npm' ? '@' : '=='
  return {
    manager: from.manager,
    action: 'install',
    packages: [`${from.name}${separator}${from.pinned}`],
    registry,
    cwd: '.',
    into: cliFolders[from.manager],
  }
}
