/** The rows of `countersign plugin`, for whoever writes one. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const pluginSummary = 'make, test and pack plugins of your own'

const folder = optional('folder', 'the folder of the plugin (default: this one)')
const offline = { flags: '--offline', summary: 'run no example of a plugin that asks for hosts' }
const runsAsYou = 'Its code and tests run as you, so read a stranger’s first'
const load = async () => import('../plugin.ts')

export const pluginRows: readonly CommandRow[] = [
  {
    name: 'plugin new',
    summary: 'make the folder of a new plugin, ready to be a repository',
    arguments: [needed('name', 'its name, such as recipe-scale')],
    options: [
      { flags: '--folder <dir>', summary: 'where its folder is made (default: here)' },
      { flags: '--channel', summary: 'one that is a channel, with its platform for the tests' },
    ],
    examples: ['countersign plugin new recipe-scale', 'countersign plugin new cabin --channel'],
    load: async () => (await load()).create,
  },
  {
    name: 'plugin test',
    summary: `test a plugin: manifest, files, its own tests, and each tool in the sandbox. ${runsAsYou}`,
    arguments: [folder],
    options: [
      { flags: '--write', summary: 'put the tools that its code has into its manifest first' },
      offline,
    ],
    examples: ['countersign plugin test .', 'countersign plugin test ./recipe-scale --write'],
    load: async () => (await load()).test,
  },
  {
    name: 'plugin dev',
    summary: `test a plugin with each change of its files, and keep its manifest right, until you stop it. ${runsAsYou}`,
    arguments: [folder],
    options: [offline],
    examples: ['countersign plugin dev .'],
    load: async () => (await load()).dev,
  },
  {
    name: 'plugin pack',
    summary: 'make an archive of a plugin for others, the same for the same files',
    arguments: [folder],
    options: [{ flags: '--out <path>', summary: 'the archive (default: NAME-VERSION.tgz in its folder)' }],
    examples: ['countersign plugin pack .'],
    load: async () => (await load()).pack,
  },
]
